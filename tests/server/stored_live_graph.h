// A live graph in a folder of its own, for tests.
#ifndef SLICE_TESTS_SERVER_STORED_LIVE_GRAPH_H_
#define SLICE_TESTS_SERVER_STORED_LIVE_GRAPH_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "graphstore/graph_data.h"
#include "graphstore/rocksdb_graph_store.h"
#include "server/graph/graph_compactor.h"
#include "server/graph/live_graph.h"

namespace slice {

class StoredLiveGraph {
 public:
  // Loads `start` unless the folder holds a graph.
  StoredLiveGraph(const std::filesystem::path& directory,
                  const GraphData& start);

  // Closes the store and opens it again, here or in another folder.
  void Restart();
  void RestartIn(const std::filesystem::path& directory);

  // Sends the changes and waits until they are visible; returns their version.
  absl::StatusOr<uint64_t> Apply(const NamedChanges& changes,
                                 uint64_t sequence);

  // Of all that the graph holds.
  std::string Digest() const;
  bool Verifies() const { return store_->Verify()->ok(); }
  RocksDbGraphStore& store() { return *store_; }

  std::unique_ptr<LiveGraph> live;
  std::unique_ptr<GraphCompactor> compactor;  // compacts when it is told to

 private:
  void Open(const GraphData& start);

  std::filesystem::path directory_;
  std::unique_ptr<RocksDbGraphStore> store_;
};

}  // namespace slice

#endif  // SLICE_TESTS_SERVER_STORED_LIVE_GRAPH_H_
