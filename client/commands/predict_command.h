// `slice-client predict`: scores one link, or all links of a file.
#ifndef SLICE_CLIENT_COMMANDS_PREDICT_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_PREDICT_COMMAND_H_

#include "client/commands/client_command.h"

namespace slice {

ClientRun DefinePredict(CommandFlags& flags, ClientFlags& shared);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_PREDICT_COMMAND_H_
