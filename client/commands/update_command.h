// `slice-client update`: changes the graph of a server.
#ifndef SLICE_CLIENT_COMMANDS_UPDATE_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_UPDATE_COMMAND_H_

#include "client/commands/client_command.h"

namespace slice {

ClientRun DefineUpdate(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_UPDATE_COMMAND_H_
