// `slice-client neighbors`: lists the neighbours of a node.
#ifndef SLICE_CLIENT_COMMANDS_NEIGHBORS_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_NEIGHBORS_COMMAND_H_

#include "client/commands/client_command.h"

namespace slice {

ClientRun DefineNeighbors(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_NEIGHBORS_COMMAND_H_
