// The graph in RocksDB, in the column families that graph_records.cc describes.
//
//   SLICE_ASSIGN_OR_RETURN(auto store, RocksDbGraphStore::Open({directory}));
//   SLICE_RETURN_IF_ERROR(store->BulkLoad(data, split_digest));
#ifndef SLICE_GRAPHSTORE_ROCKSDB_GRAPH_STORE_H_
#define SLICE_GRAPHSTORE_ROCKSDB_GRAPH_STORE_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_store.h"

namespace slice {

struct RocksDbGraphStoreOptions {
  std::filesystem::path directory;
  bool create_if_missing = true;
  // Several readers may share a directory, also with one writer; they see what
  // was there when they opened it, and may write nothing.
  bool read_only = false;
};

// What Verify found.
struct GraphVerification {
  uint64_t nodes = 0;
  uint64_t links = 0;
  uint64_t names = 0;        // records of the name index
  std::string graph_digest;  // recomputed
  uint64_t problem_count = 0;
  std::vector<std::string> problems;  // the first of them, in words

  bool ok() const { return problem_count == 0; }
};

// Thread-safe for reads; BulkLoad needs exclusive use.
class RocksDbGraphStore : public GraphStore {
 public:
  // FAILED_PRECONDITION, "... the data directory is in use by another
  // process", when locked; NOT_FOUND when missing and not to be created;
  // DATA_LOSS when not a slice graph or of another format. A bulk load that was
  // cut short has left no trace in the store; its files are removed here.
  static absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> Open(
      const RocksDbGraphStoreOptions& options);

  // Opens the store in `options.directory`, first filling it by ingesting
  // copies of the SST files of `sst_directory` (see ExportSsts) when it holds
  // no graph yet; a graph that it does hold is kept, whichever it is (compare
  // Metadata). The files are never moved, and not needed once the store holds
  // a graph.
  static absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> OpenOrIngest(
      const RocksDbGraphStoreOptions& options,
      const std::filesystem::path& sst_directory);

  // Writes one sorted SST file per non-empty column family, `<family>.sst`,
  // into an empty or missing directory; FAILED_PRECONDITION when it is not.
  // The records are the same for the same graph, the bytes of a file are not:
  // RocksDB stamps each with a random session id. Compare graph digests.
  virtual absl::Status ExportSsts(
      const std::filesystem::path& directory) const = 0;

  // Reads every record and checks it against the others: counts, digest, both
  // directions of the adjacency, degrees and the name index. What is wrong is
  // listed; an error only when the store holds no graph.
  virtual absl::StatusOr<GraphVerification> Verify() const = 0;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ROCKSDB_GRAPH_STORE_H_
