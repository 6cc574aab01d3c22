// `slice-graph generate`: makes a graph by known rules, which a model should
// find again, and writes it as files to train on
// (graphstore/graph_generator.h).
#ifndef SLICE_GRAPHSTORE_COMMANDS_GENERATE_COMMAND_H_
#define SLICE_GRAPHSTORE_COMMANDS_GENERATE_COMMAND_H_

#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

StatusRun DefineGenerate(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_COMMANDS_GENERATE_COMMAND_H_
