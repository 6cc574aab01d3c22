// `slice-graph import`: fills a new graph from edge lists.
#ifndef SLICE_GRAPHSTORE_COMMANDS_IMPORT_COMMAND_H_
#define SLICE_GRAPHSTORE_COMMANDS_IMPORT_COMMAND_H_

#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

StatusRun DefineImport(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_COMMANDS_IMPORT_COMMAND_H_
