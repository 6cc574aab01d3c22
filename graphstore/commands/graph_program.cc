#include "graphstore/commands/graph_program.h"

#include "common/command/printable_stream.h"
#include "common/command/run_program.h"
#include "graphstore/commands/export_command.h"
#include "graphstore/commands/generate_command.h"
#include "graphstore/commands/graph_checkpoint_command.h"
#include "graphstore/commands/graph_neighbors_command.h"
#include "graphstore/commands/import_command.h"
#include "graphstore/commands/split_command.h"
#include "graphstore/commands/stats_command.h"
#include "graphstore/commands/verify_command.h"

namespace slice {
namespace {

constexpr StatusCommand kCommands[] = {
    {"import", "Fill a new graph from edge lists", DefineImport},
    {"split", "Split links into train, valid and test", DefineSplit},
    {"stats", "Counts, degrees and hubs", DefineStats},
    {"verify", "Check every record against the others", DefineVerify},
    {"neighbors", "List what a node is linked to", DefineNeighbors},
    {"export", "Write links.tsv and nodes.tsv, which import takes",
     DefineExport},
    {"checkpoint", "Copy a graph with its log of changes", DefineCheckpoint},
    {"restore", "Give a server the graph of a checkpoint", DefineRestore},
    {"generate", "Write files of a graph with planted structure",
     DefineGenerate},
};

constexpr char kFooter[] =
    "Examples:\n"
    "  slice-graph import --train links.tsv --nodes nodes.tsv --data-dir "
    "graph\n"
    "  slice-graph split --links links.csv --out split\n"
    "  slice-graph stats --data-dir graph\n"
    "  slice-graph neighbors --data-dir graph curl --relation depends\n"
    "  slice-graph generate --nodes 10000 --links 100000 --out planted\n\n"
    "Exit codes: 0 ok; 1 failure; 2 wrong command line or bad input.";

}  // namespace

int RunGraphProgram(int argc, const char* const* argv, std::ostream& out,
                    std::ostream& errors) {
  PrintableStream printable_out(out);
  return RunProgram(
      {.name = "slice-graph",
       .summary = "Imports heterogeneous graphs and looks into them.",
       .footer = kFooter},
      kCommands, argc, argv, printable_out, errors);
}

}  // namespace slice
