// The graph in RocksDB, in the column families of docs/storage.md.
#ifndef SLICE_GRAPHSTORE_ROCKSDB_GRAPH_STORE_H_
#define SLICE_GRAPHSTORE_ROCKSDB_GRAPH_STORE_H_

#include <filesystem>
#include <memory>

#include "absl/status/statusor.h"
#include "graphstore/graph_store.h"

namespace slice {

struct RocksDbGraphStoreOptions {
  std::filesystem::path directory;
  bool create_if_missing = true;
  bool read_only =
      false;  // several readers may share a directory, none may write
};

class RocksDbGraphStore : public GraphStore {
 public:
  // FAILED_PRECONDITION, "data directory <dir> is in use by another process",
  // when locked; NOT_FOUND when missing and not to be created; DATA_LOSS when
  // not a slice graph or of another format.
  static absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> Open(
      const RocksDbGraphStoreOptions& options);

  // Opens the store in `options.directory`, first filling it by ingesting
  // copies of the SST files of `sst_directory` (see ExportSsts) when it holds
  // no graph yet. The files are never moved.
  static absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> OpenOrIngest(
      const RocksDbGraphStoreOptions& options,
      const std::filesystem::path& sst_directory);

  // Writes one sorted SST file per non-empty column family, `<family>.sst`,
  // into an empty or missing directory. The files are the same bytes for the
  // same graph.
  virtual absl::Status ExportSsts(
      const std::filesystem::path& directory) const = 0;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ROCKSDB_GRAPH_STORE_H_
