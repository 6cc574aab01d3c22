// `slice-client queue`: shows what waits in the server.
#ifndef SLICE_CLIENT_COMMANDS_QUEUE_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_QUEUE_COMMAND_H_

#include <cstddef>

#include "client/commands/client_command.h"

namespace slice {

// Prints the queues and the last refused requests, at most `shed_limit` of
// them. Returns the exit status.
int RunQueue(const LinkClient& client, size_t shed_limit,
             const CommandOutput& output);

ClientRun DefineQueue(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_QUEUE_COMMAND_H_
