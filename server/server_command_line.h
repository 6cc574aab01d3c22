// The whole command line of slice-server, and what of it can change while the
// server runs.
#ifndef SLICE_SERVER_SERVER_COMMAND_LINE_H_
#define SLICE_SERVER_SERVER_COMMAND_LINE_H_

#include <string>
#include <vector>

#include "common/command/command_line.h"
#include "server/server_options.h"

namespace slice {

struct ServerCommandLine {
  ServerOptions options;  // valid when parsed.status is OK
  ParsedLine parsed;
};

// Reads flags, variables and the configuration file. `arguments` are those of
// the command line without the program.
ServerCommandLine ReadServerCommandLine(
    const std::vector<std::string>& arguments);

// Whether the setting of a flag ("max-queue-items") can change while the server
// runs.
bool IsLiveSetting(const std::string& name);

}  // namespace slice

#endif  // SLICE_SERVER_SERVER_COMMAND_LINE_H_
