// The graph of a bundle, in RocksDB below the data directory.
#ifndef SLICE_SERVER_MODELS_SERVED_GRAPH_H_
#define SLICE_SERVER_MODELS_SERVED_GRAPH_H_

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/mutex.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/rocksdb_graph_store.h"
#include "server/feed/graph_replica.h"
#include "server/graph/graph_compactor.h"
#include "server/graph/live_graph.h"

namespace slice {

// Opens the store in `directory`. A store that was set aside for another one,
// which then did not come, is put back first (PutBackDirectory in
// common/files.h). When there is no store that can be read, builds it from the
// SST files of `sst_directory`. The store is built beside `directory`, flushed
// to disk and then renamed. So it appears whole or not at all, even if the
// process is killed. On a read-only file system the store is opened for reading
// only.
//
// When `sst_directory` is empty, nothing is built: returns NOT_FOUND when there
// is no store, and DATA_LOSS when it is damaged. Returns FAILED_PRECONDITION
// when another process has the store open or is building it; RESOURCE_EXHAUSTED
// when the disk has no room for it; UNIMPLEMENTED when a newer program wrote
// it; PERMISSION_DENIED or INTERNAL when `directory` cannot be looked into;
// DATA_LOSS when changes that were acknowledged are damaged
// (CheckWriteAheadLog). These leave the store as it is.
absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> OpenServedGraph(
    const std::filesystem::path& directory,
    const std::filesystem::path& sst_directory);

// A graph in memory. The store stays open: it holds the lock of its directory,
// and the log of changes.
struct ServedGraph {
  std::unique_ptr<RocksDbGraphStore> store;
  std::unique_ptr<LiveGraph> live;
  std::unique_ptr<GraphCompactor> compactor;
  // Null: changes come from no feed.
  mutable std::unique_ptr<GraphReplica> replica;
  std::filesystem::path directory;
  std::string digest;

  // The graph as it was loaded, without the changes. It is read from the store
  // unless somebody holds it. Thread-safe.
  absl::StatusOr<std::shared_ptr<const GraphSnapshot>> Base() const;

  // Changes the graph: through the feed, if it follows one. As
  // LiveGraph::Submit and GraphReplica::Submit.
  absl::Status Submit(GraphUpdate update) const;
  // Why updates are refused now, or OK.
  absl::Status CheckWritable() const;

  // Its directory goes too when its last owner lets it go.
  void RemoveWhenClosed() const { remove_when_closed_ = true; }

 private:
  friend class ServedGraphs;
  mutable std::atomic<bool> remove_when_closed_ = false;
  mutable Mutex mutex_;
  mutable std::weak_ptr<const GraphSnapshot> base_ ABSL_GUARDED_BY(mutex_);
};

// The graphs that are open, by digest: models of one graph share it, because a
// store can be opened once only. Thread-safe.
class ServedGraphs {
 public:
  // The feed of all graphs that are served; it must outlive them.
  void SetFeed(ChangeFeed* feed) { feed_ = feed; }

  // The graph with this digest, in `<data_dir>/graphs/<digest>/`. Opens it as
  // OpenServedGraph does, unless it is open already. The errors of
  // OpenServedGraph and LiveGraph::Open.
  absl::StatusOr<std::shared_ptr<const ServedGraph>> Open(
      const std::filesystem::path& data_dir, const std::string& digest,
      const std::filesystem::path& sst_directory);

  // Makes the graph a replica of the feed, if there is a feed. To be called
  // before the graph is served. The errors of GraphReplica::Open.
  absl::Status FollowFeed(const ServedGraph& graph);

  bool IsOpen(const std::string& digest) const;

 private:
  static void Close(const ServedGraph* graph);

  ChangeFeed* feed_ = nullptr;
  // Outlives the graphs.
  struct State {
    Mutex mutex;  // held while a graph opens or closes
    CondVar closed;
    std::map<std::string, std::weak_ptr<const ServedGraph>> open
        ABSL_GUARDED_BY(mutex);
  };
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace slice

#endif  // SLICE_SERVER_MODELS_SERVED_GRAPH_H_
