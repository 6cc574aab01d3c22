// The commands `slice-graph checkpoint` and `slice-graph restore`.
#ifndef SLICE_GRAPHSTORE_COMMANDS_GRAPH_CHECKPOINT_COMMAND_H_
#define SLICE_GRAPHSTORE_COMMANDS_GRAPH_CHECKPOINT_COMMAND_H_

#include "common/command/run_program.h"

namespace slice {

StatusRun DefineCheckpoint(CommandFlags& flags);
StatusRun DefineRestore(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_COMMANDS_GRAPH_CHECKPOINT_COMMAND_H_
