// `slice-client explain`: scores a link and draws the reasons.
#ifndef SLICE_CLIENT_COMMANDS_EXPLAIN_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_EXPLAIN_COMMAND_H_

#include "client/commands/client_command.h"

namespace slice {

ClientRun DefineExplain(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_EXPLAIN_COMMAND_H_
