// Finds the paths that a PathLedger knows (context/path_listing.h). Internal to
// it.
#ifndef SLICE_CONTEXT_PATH_LISTER_H_
#define SLICE_CONTEXT_PATH_LISTER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "context/end_neighborhood.h"
#include "context/path_evidence.h"
#include "context/path_listing.h"
#include "graphstore/graph_view.h"

namespace slice {

// The index of each end's neighbours takes memory in proportion to the graph,
// so it is kept per thread. Thread-compatible.
class PathLister {
 public:
  // `view` must outlive the lister.
  PathLister(const GraphView& view, const Link& link,
             const PathFanOut& fan_out);

  // Lists the paths; call it once. It tells apart the first 64 types of three
  // links in `tracked`. `with_rules` says whether to list the types that may
  // have rules.
  PathListing List(std::span<const PathType> tracked, bool with_rules);

 private:
  using Steps = absl::InlinedVector<int32_t, 8>;  // signed relations

  // The relations by which paths take their first or last step.
  struct EndStep {
    Steps steps;
    uint64_t tracked = 0;       // bits: the tracked types that take one of them
    bool has_relation = false;  // whether r_ is one of them
    double root = 1;            // 1 / sqrt(degree) of the inner node
  };

  void AddType(const PathType& type, double times);
  void ListDirect();
  void ListTwoPaths();
  void AddTwoPath(NodeId x, double times);
  void ListThreePaths();
  void ListThreePathsOver(NodeId x, double stride);
  void FinishStep(NodeId inner, size_t position, EndStep& step) const;
  const EndStep& LastStepFrom(NodeId y);
  void AddThreePath(NodeId x, NodeId y, double times);
  void CountRules(const EndStep& last, double times);
  void CountRule(const PathType& type, double times);
  void SetOthers(const EndStep& last, ThreeLinkTypes& walk) const;

  static thread_local EndNeighborhood source_, target_;
  const GraphView& view_;
  const Link link_;
  const int32_t r_;
  const PathFanOut fan_out_;
  PathListing paths_;
  bool with_rules_ = false;
  absl::flat_hash_map<PathType, uint32_t> index_, rule_index_;
  absl::flat_hash_map<ThreeLinkTypes, size_t> three_index_;  // in three
  // Of the walk u - x - y - v at hand. Many walks have the same last step.
  EndStep first_;
  Steps second_;
  std::vector<EndStep> last_steps_;
  absl::flat_hash_map<NodeId, uint32_t> last_step_index_;  // by y
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_LISTER_H_
