// `slice-client reload`: has the server read its configuration again.
#ifndef SLICE_CLIENT_COMMANDS_RELOAD_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_RELOAD_COMMAND_H_

#include "client/commands/client_command.h"

namespace slice {

ClientRun DefineReload(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_RELOAD_COMMAND_H_
