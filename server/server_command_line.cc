#include "server/server_command_line.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "server/server_config.h"
#include "server/server_flags.h"

namespace slice {

ServerCommandLine ReadServerCommandLine(
    const std::vector<std::string>& arguments) {
  ServerCommandLine read;
  ServerOptions& options = read.options;
  CommandLine line({.name = "slice-server",
                    .summary = "Serves link predictions over gRPC.",
                    .footer = "Exit codes: 0 stopped; 1 could not start; 2 "
                              "wrong flags or configuration; 3 device lost.",
                    .last_flag_counts = true,
                    .has_config = true,
                    .structured_keys = ServerStructuredKeys(),
                    .read_structured = [&options](const auto& file) {
                      return ReadServerConfig(file, &options);
                    }});
  AddServerFlags(line.flags(), options);
  line.flags().Check([&options] { return options.Validate(); });
  read.parsed = line.Parse(arguments);
  return read;
}

bool IsLiveSetting(const std::string& name) {
  constexpr std::string_view kLive[] = {
      "anonymous-roles",     "bundle",
      "default-model",       "model-name",
      "watch-bundle",        "links-per-second",
      "links-under-way",     "log-level",
      "max-queue-bytes",     "max-queue-items",
      "searches-per-second", "recommendations-per-second",
      "token-file"};
  return std::find(std::begin(kLive), std::end(kLive), name) != std::end(kLive);
}

}  // namespace slice
