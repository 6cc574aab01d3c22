// `slice-client find`: lists nodes whose names start with a prefix.
#ifndef SLICE_CLIENT_COMMANDS_FIND_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_FIND_COMMAND_H_

#include "client/commands/client_command.h"

namespace slice {

ClientRun DefineFind(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_FIND_COMMAND_H_
