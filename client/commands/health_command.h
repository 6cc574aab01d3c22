// `slice-client health`: asks whether the server serves.
#ifndef SLICE_CLIENT_COMMANDS_HEALTH_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_HEALTH_COMMAND_H_

#include "client/commands/client_command.h"

namespace slice {

ClientRun DefineHealth(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_HEALTH_COMMAND_H_
