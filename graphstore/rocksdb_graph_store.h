// The graph in RocksDB, in the column families that
// graphstore/graph_records.cc describes.
//
//   SLICE_ASSIGN_OR_RETURN(auto store, RocksDbGraphStore::Open({directory}));
//   SLICE_RETURN_IF_ERROR(store->BulkLoad(data, split_digest));
#ifndef SLICE_GRAPHSTORE_ROCKSDB_GRAPH_STORE_H_
#define SLICE_GRAPHSTORE_ROCKSDB_GRAPH_STORE_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "graphstore/change_log.h"
#include "graphstore/graph_store.h"
#include "graphstore/graph_verification.h"
#include "graphstore/rocksdb_graph_store_options.h"

namespace slice {

// What a checkpoint holds.
struct CheckpointState {
  std::string graph_digest;  // of the base
  uint64_t graph_version = 0;
  std::string state_digest;  // of that version
};

// Thread-safe for reads; BulkLoad needs exclusive use.
class RocksDbGraphStore : public GraphStore {
 public:
  // FAILED_PRECONDITION when another process has the directory open for
  // writing, NOT_FOUND when there is no graph and none may be created,
  // DATA_LOSS when the directory holds something other than a graph,
  // UNIMPLEMENTED for a graph of an unknown format. An interrupted bulk load
  // leaves nothing in the store, and Open removes its files, unless it opens
  // the store read-only.
  static absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> Open(
      const RocksDbGraphStoreOptions& options);

  // Opens the store in `options.directory`. When it holds no graph yet, fills
  // it with copies of the SST files of `sst_directory` (see ExportSsts). A
  // graph that the store holds already is kept, even when it is not the graph
  // of the SST files: compare Metadata(). The SST files are never moved, and
  // they are not needed once the store holds a graph.
  static absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> OpenOrIngest(
      const RocksDbGraphStoreOptions& options,
      const std::filesystem::path& sst_directory);

  // Writes one sorted SST file per non-empty column family, `<family>.sst`,
  // into a directory that is empty or does not exist. FAILED_PRECONDITION for
  // any other directory. Two exports of one graph have the same records, but
  // not the same bytes, because RocksDB stamps each file with a random session
  // id. To compare them, compare the graph digests.
  virtual absl::Status ExportSsts(
      const std::filesystem::path& directory) const = 0;

  // Reads every record and checks it against the others: counts, digest, both
  // directions of the adjacency, degrees and the name index. Lists the problems
  // that it finds. Fails only when the store holds no graph that this program
  // can read.
  virtual absl::StatusOr<GraphVerification> Verify() const = 0;

  // The log of the changes that were made to the graph since it was loaded.
  // Only one log may be in use. The store must outlive it. FAILED_PRECONDITION
  // without a graph; the errors of ChangeLog::Open.
  virtual absl::StatusOr<ChangeLog> OpenChangeLog() = 0;

  // Copies the store, with its log, into `directory`, which must not exist;
  // reads and writes go on. Files that never change are linked where both are
  // on one file system. What the copy holds is flushed to disk when it returns.
  // ALREADY_EXISTS, naming it, when the directory is there; the errors of the
  // disk.
  virtual absl::StatusOr<CheckpointState> Checkpoint(
      const std::filesystem::path& directory) const = 0;

  // The graph with the changes of its log: of the last version, or of
  // `version`. The errors of ChangeLog::GraphAt.
  absl::StatusOr<std::shared_ptr<const GraphSnapshot>> GraphAt(
      std::optional<uint64_t> version = std::nullopt);
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ROCKSDB_GRAPH_STORE_H_
