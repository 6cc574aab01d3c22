// The graph of a bundle, in RocksDB below the data directory.
#ifndef SLICE_SERVER_MODELS_SERVED_GRAPH_H_
#define SLICE_SERVER_MODELS_SERVED_GRAPH_H_

#include <filesystem>
#include <memory>

#include "absl/status/statusor.h"
#include "graphstore/rocksdb_graph_store.h"

namespace slice {

// Opens the store in `directory`. When there is no store that can be read,
// builds it from the SST files of `sst_directory`. The store is built beside
// `directory`, flushed to disk and then renamed. So it appears whole or not at
// all, even if the process is killed. On a read-only file system the store is
// opened for reading only.
//
// When `sst_directory` is empty, nothing is built: returns NOT_FOUND when there
// is no store, and DATA_LOSS when it is damaged. Returns FAILED_PRECONDITION
// when another process has the store open or is building it; RESOURCE_EXHAUSTED
// when the disk has no room for it.
absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> OpenServedGraph(
    const std::filesystem::path& directory,
    const std::filesystem::path& sst_directory);

}  // namespace slice

#endif  // SLICE_SERVER_MODELS_SERVED_GRAPH_H_
