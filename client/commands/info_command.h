// `slice-client info`: shows what the server has loaded.
#ifndef SLICE_CLIENT_COMMANDS_INFO_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_INFO_COMMAND_H_

#include "client/commands/client_command.h"

namespace slice {

ClientRun DefineInfo(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_INFO_COMMAND_H_
