// `slice-graph split`: splits a file of links into train, valid and test.
#ifndef SLICE_GRAPHSTORE_COMMANDS_SPLIT_COMMAND_H_
#define SLICE_GRAPHSTORE_COMMANDS_SPLIT_COMMAND_H_

#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

StatusRun DefineSplit(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_COMMANDS_SPLIT_COMMAND_H_
