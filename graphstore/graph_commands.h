// The program slice-graph: import, stats, verify, neighbors, export,
// generate.
#ifndef SLICE_GRAPHSTORE_GRAPH_COMMANDS_H_
#define SLICE_GRAPHSTORE_GRAPH_COMMANDS_H_

#include <filesystem>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "graphstore/edge_list_importer.h"
#include "graphstore/graph_generator.h"

namespace slice {

inline constexpr int kExitOk = 0;
inline constexpr int kExitError = 1;
inline constexpr int kExitUsage = 2;

// Runs one command line: results go to `out`, messages to `errors`. Returns the
// exit code: 0, 1 for a failure or a graph that verify finds fault with, 2 for
// a command line that is not understood or input that is malformed.
int RunGraphCommand(int argc, const char* const* argv, std::ostream& out,
                    std::ostream& errors);

// The commands by themselves. Each writes a table, or one JSON object with
// `json`.

struct ImportCommand {
  EdgeListImportOptions edge_list;
  std::string columns, held_out_columns;  // as LinkColumns::Parse; or empty
  std::filesystem::path data_dir;
  bool json = false;
};
// Reads the files and fills a new store. Nothing is left behind on failure.
absl::Status RunImport(const ImportCommand& command, std::ostream& out,
                       std::ostream& errors);

struct StatsCommand {
  std::filesystem::path data_dir;
  bool json = false;
};
absl::Status RunStats(const StatsCommand& command, std::ostream& out);

struct VerifyCommand {
  std::filesystem::path data_dir;
  bool json = false;
};
// DATA_LOSS when the graph has problems, after listing them.
absl::Status RunVerify(const VerifyCommand& command, std::ostream& out);

struct NeighborsCommand {
  std::filesystem::path data_dir;
  std::string node;       // key, name or type:name
  std::string type;       // empty = any
  std::string relation;   // empty = all
  std::string direction;  // "out", "in", or empty for both
  size_t limit = 50;
  bool json = false;
};
absl::Status RunNeighbors(const NeighborsCommand& command, std::ostream& out);

struct ExportCommand {
  std::filesystem::path data_dir;
  std::filesystem::path bundle;  // instead of data_dir
  std::filesystem::path out_dir;
  std::string format = "tsv";  // or "sst"
  std::string compression;     // of tsv: "gz", "zst" or none
};
// Text: links.tsv and nodes.tsv in out_dir, which import takes. SST files: as
// they go into a bundle.
absl::Status RunExport(const ExportCommand& command, std::ostream& out);

struct GenerateCommand {
  GeneratorOptions generator;
  bool json = false;
};
absl::Status RunGenerate(const GenerateCommand& command, std::ostream& out);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_COMMANDS_H_
