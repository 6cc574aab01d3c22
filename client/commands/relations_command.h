// `slice-client relations`: lists the relations of the graph.
#ifndef SLICE_CLIENT_COMMANDS_RELATIONS_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_RELATIONS_COMMAND_H_

#include "client/commands/client_command.h"

namespace slice {

ClientRun DefineRelations(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_RELATIONS_COMMAND_H_
