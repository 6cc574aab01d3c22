// The arguments SOURCE RELATION TARGET of a command.
#ifndef SLICE_CLIENT_COMMANDS_LINK_ARGUMENTS_H_
#define SLICE_CLIENT_COMMANDS_LINK_ARGUMENTS_H_

#include "client/link_types.h"
#include "common/command/flags.h"

namespace slice {

struct LinkArguments {
  Flag source, relation, target;
};

// Adds the three arguments, which a user may leave out unless the caller calls
// Flag::Required, and --keys, which applies to both ends.
LinkArguments AddLinkArguments(CommandFlags& flags, LinkQuery& link);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_LINK_ARGUMENTS_H_
