// When the links of a live graph came.
#ifndef SLICE_GRAPHSTORE_LINK_ARRIVALS_H_
#define SLICE_GRAPHSTORE_LINK_ARRIVALS_H_

#include <cstdint>
#include <map>

#include "absl/status/status.h"
#include "graphstore/change_log.h"
#include "graphstore/graph_changes.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/types.h"

namespace slice {

// Follows the changes of a log, version by version. Thread-compatible.
class LinkArrivals {
 public:
  // `base` is the graph before the first change. It must outlive this.
  explicit LinkArrivals(const GraphSnapshot& base) : base_(base) {}

  // The arrivals up to `version`. Returns the errors of ChangeLog::Replay.
  static absl::StatusOr<LinkArrivals> Of(const ChangeLog& log,
                                         const GraphSnapshot& base,
                                         uint64_t version);

  // Takes the changes that made `version`. REQUIRES: versions do not fall.
  void Add(uint64_t version, const GraphChanges& changes);

  // The version that added the link: the last time that it came back, if it was
  // removed meanwhile; a new weight is no arrival. The version of the base for
  // a link that the base has. A summary of the log counts as one version.
  // REQUIRES: the graph of the last version that was added has the link.
  uint64_t VersionOf(const Link& link) const;

 private:
  struct Event {
    uint64_t version = 0;
    bool is_removal = false;
  };

  bool Has(const Link& link) const;
  uint64_t RemovedAt(const Link& link) const;

  const GraphSnapshot& base_;
  std::map<Link, Event> events_;              // the last one of each link
  std::map<NodeId, uint64_t> removed_nodes_;  // by node, the last time
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_LINK_ARRIVALS_H_
