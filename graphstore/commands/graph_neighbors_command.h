// `slice-graph neighbors`: lists what a node is linked to.
#ifndef SLICE_GRAPHSTORE_COMMANDS_GRAPH_NEIGHBORS_COMMAND_H_
#define SLICE_GRAPHSTORE_COMMANDS_GRAPH_NEIGHBORS_COMMAND_H_

#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

StatusRun DefineNeighbors(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_COMMANDS_GRAPH_NEIGHBORS_COMMAND_H_
