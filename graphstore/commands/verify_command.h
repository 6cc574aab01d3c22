// `slice-graph verify`: checks every record of a graph against the others.
#ifndef SLICE_GRAPHSTORE_COMMANDS_VERIFY_COMMAND_H_
#define SLICE_GRAPHSTORE_COMMANDS_VERIFY_COMMAND_H_

#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

StatusRun DefineVerify(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_COMMANDS_VERIFY_COMMAND_H_
