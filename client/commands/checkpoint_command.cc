#include "client/commands/checkpoint_command.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "client/exit_codes.h"

namespace slice {

ClientRun DefineCheckpoint(CommandFlags& flags, ClientFlags&) {
  const auto directory = std::make_shared<std::string>();
  flags
      .AddArgument("DIRECTORY", *directory,
                   "of the copy, on the server's machine; it must not exist")
      .Required();
  flags.Footer(
      "Copies the graph with its log of changes while the server goes on. "
      "slice-graph restore gives the copy to a server.");
  return [directory](const LinkClient& client, const CommandOutput& output) {
    const auto made = client.CreateCheckpoint(*directory);
    if (!made.ok()) return PrintAdminCallError(made.status(), output);
    if (output.json) {
      output.results << nlohmann::json{{"directory", *directory},
                                       {"graph_version", made->graph_version},
                                       {"state_digest", made->state_digest}}
                            .dump()
                     << "\n";
    } else {
      output.results << "checkpoint of version " << made->graph_version
                     << " in " << *directory << ", state digest "
                     << made->state_digest << "\n";
    }
    return static_cast<int>(kExitOk);
  };
}

}  // namespace slice
