// `slice-graph export`: writes a graph as text or as sorted files.
#ifndef SLICE_GRAPHSTORE_COMMANDS_EXPORT_COMMAND_H_
#define SLICE_GRAPHSTORE_COMMANDS_EXPORT_COMMAND_H_

#include "common/command/flags.h"
#include "common/command/run_program.h"

namespace slice {

StatusRun DefineExport(CommandFlags& flags);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_COMMANDS_EXPORT_COMMAND_H_
