// `slice-graph stats`: counts, degrees and hubs of a graph.
#ifndef SLICE_GRAPHSTORE_COMMANDS_STATS_COMMAND_H_
#define SLICE_GRAPHSTORE_COMMANDS_STATS_COMMAND_H_

#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

StatusRun DefineStats(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_COMMANDS_STATS_COMMAND_H_
