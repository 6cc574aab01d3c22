// slice-client models: shows and changes the models that a server serves.
#ifndef SLICE_CLIENT_COMMANDS_MODELS_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_MODELS_COMMAND_H_

#include "client/commands/client_command.h"
#include "client/commands/client_flags.h"

namespace slice {

ClientRun DefineModels(CommandFlags& flags, ClientFlags& client);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_MODELS_COMMAND_H_
