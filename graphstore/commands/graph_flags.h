// Flags that several commands of slice-graph have.
#ifndef SLICE_GRAPHSTORE_COMMANDS_GRAPH_FLAGS_H_
#define SLICE_GRAPHSTORE_COMMANDS_GRAPH_FLAGS_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "common/command/flags.h"

namespace slice {

inline Flag AddDataDir(CommandFlags& flags, std::filesystem::path& data_dir) {
  return flags
      .Add("--data-dir", data_dir,
           "directory of the graph (RocksDB), or of a server")
      .Type("DIR");
}

// A version of a graph that changed while it was served.
inline Flag AddGraphVersion(CommandFlags& flags,
                            std::optional<uint64_t>& version) {
  return flags
      .Add("--graph-version", version,
           "the graph as it was at this version; the last one when left out")
      .Type("N");
}

inline Flag AddForce(CommandFlags& flags, bool& force) {
  return flags.AddSwitch("--force", force, "overwrite files that exist");
}

// FAILED_PRECONDITION, naming the first of `files` that exists, unless `force`.
inline absl::Status CheckNotThere(
    const std::vector<std::filesystem::path>& files, bool force) {
  for (const std::filesystem::path& file : files) {
    std::error_code error;
    if (force || !std::filesystem::exists(file, error)) continue;
    return absl::FailedPreconditionError(
        file.string() + " exists; overwrite it with --force, or give another " +
        "--out");
  }
  return absl::OkStatus();
}

inline Flag AddJson(CommandFlags& flags, bool& json) {
  return flags.AddSwitch("--json", json, "one JSON object instead of tables");
}

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_COMMANDS_GRAPH_FLAGS_H_
