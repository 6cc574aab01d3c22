// What the commands of slice-graph share.
#ifndef SLICE_GRAPHSTORE_COMMAND_OUTPUT_H_
#define SLICE_GRAPHSTORE_COMMAND_OUTPUT_H_

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "graphstore/rocksdb_graph_store.h"

namespace slice {

// Indented, with a line end; bytes that are no UTF-8 are replaced.
std::string DumpJson(const nlohmann::ordered_json& json);

// Opens a store, or the one graph below a server's data directory, read-only.
// FAILED_PRECONDITION when there are several graphs.
absl::StatusOr<std::unique_ptr<RocksDbGraphStore>> OpenGraphToRead(
    const std::filesystem::path& data_dir);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_COMMAND_OUTPUT_H_
