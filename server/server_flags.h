// The flags of slice-server.
#ifndef SLICE_SERVER_SERVER_FLAGS_H_
#define SLICE_SERVER_SERVER_FLAGS_H_

#include "common/command/flags.h"
#include "server/server_options.h"

namespace slice {

// Adds all flags to `flags`, so that reading them fills `options`. After that
// ServerOptions::Validate checks their ranges.
void AddServerFlags(CommandFlags& flags, ServerOptions& options);

}  // namespace slice

#endif  // SLICE_SERVER_SERVER_FLAGS_H_
