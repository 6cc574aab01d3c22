// Keeps a graph that changes from growing with the number of its changes.
#ifndef SLICE_SERVER_GRAPH_GRAPH_COMPACTOR_H_
#define SLICE_SERVER_GRAPH_GRAPH_COMPACTOR_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include "absl/status/statusor.h"
#include "common/mutex.h"
#include "graphstore/graph_snapshot.h"
#include "server/graph/live_graph.h"

namespace slice {

// Each version keeps the rows of those before it, and the log each change. A
// compaction copies the present version without what earlier ones left behind,
// and puts a summary in the place of its part of the log. Updates and questions
// go on meanwhile.
class GraphCompactor {
 public:
  // A compaction begins when the changes since the last one are this share of
  // the links, but at least kLeastChanges. A share of 0: never.
  static constexpr double kUsualShare = 1;
  static constexpr size_t kLeastChanges = 200'000;

  // Both must outlive the compactor. `base` gives the graph of the store
  // without its log; nobody else need keep it.
  using Base =
      std::function<absl::StatusOr<std::shared_ptr<const GraphSnapshot>>()>;
  GraphCompactor(LiveGraph* live, Base base, double share = kUsualShare);
  ~GraphCompactor();
  GraphCompactor(const GraphCompactor&) = delete;
  GraphCompactor& operator=(const GraphCompactor&) = delete;

  // Compacts now. Returns the version that it summarised, or the errors of the
  // store: the graph is as before then. Thread-safe.
  absl::StatusOr<uint64_t> Compact();

 private:
  void Run();
  absl::StatusOr<uint64_t> CompactOnce();
  bool IsDue() const;

  LiveGraph* const live_;
  const Base base_;
  const double share_;

  Mutex compacting_;  // held by CompactOnce()
  Mutex mutex_;
  CondVar closed_;
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace slice

#endif  // SLICE_SERVER_GRAPH_GRAPH_COMPACTOR_H_
