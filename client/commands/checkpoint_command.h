// `slice-client checkpoint`: copies the graph of a running server.
#ifndef SLICE_CLIENT_COMMANDS_CHECKPOINT_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_CHECKPOINT_COMMAND_H_

#include "client/commands/client_command.h"

namespace slice {

ClientRun DefineCheckpoint(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_CHECKPOINT_COMMAND_H_
