// Flags that several commands of slice-graph have.
#ifndef SLICE_GRAPHSTORE_COMMANDS_GRAPH_FLAGS_H_
#define SLICE_GRAPHSTORE_COMMANDS_GRAPH_FLAGS_H_

#include <filesystem>

#include "common/command/flags.h"

namespace slice {

inline Flag AddDataDir(CommandFlags& flags, std::filesystem::path& data_dir) {
  return flags
      .Add("--data-dir", data_dir,
           "directory of the graph (RocksDB), or of a server")
      .Type("DIR");
}

inline Flag AddJson(CommandFlags& flags, bool& json) {
  return flags.AddSwitch("--json", json, "one JSON object instead of tables");
}

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_COMMANDS_GRAPH_FLAGS_H_
