// Finds and opens the graph that a program is to read.
#ifndef SLICE_GRAPHSTORE_STORE_DIRECTORY_H_
#define SLICE_GRAPHSTORE_STORE_DIRECTORY_H_

#include <filesystem>
#include <memory>

#include "absl/status/statusor.h"
#include "graphstore/rocksdb_graph_store.h"

namespace slice {

// The directory of a graph: `data_dir` itself, or the only directory in
// `data_dir`/graphs, where a server keeps its graphs. FAILED_PRECONDITION when
// the server keeps several.
absl::StatusOr<std::filesystem::path> FindStore(
    const std::filesystem::path& data_dir);

// Opens a graph read-only. `data_dir` is the directory of a graph, or the data
// directory of a server that keeps one graph. FAILED_PRECONDITION when the
// server keeps several. The other errors are those of RocksDbGraphStore::Open.
absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> OpenGraphToRead(
    const std::filesystem::path& data_dir);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_STORE_DIRECTORY_H_
