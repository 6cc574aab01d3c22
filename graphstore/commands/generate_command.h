// `slice-graph generate`: writes files of a graph with planted structure.
#ifndef SLICE_GRAPHSTORE_COMMANDS_GENERATE_COMMAND_H_
#define SLICE_GRAPHSTORE_COMMANDS_GENERATE_COMMAND_H_

#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

StatusRun DefineGenerate(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_COMMANDS_GENERATE_COMMAND_H_
