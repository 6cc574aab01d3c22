#include "client/commands/reload_command.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_join.h"
#include "client/exit_codes.h"

namespace slice {
namespace {

int RunReload(const LinkClient& client, const CommandOutput& output) {
  const absl::StatusOr<ConfigReload> reload = client.ReloadConfig();
  if (!reload.ok()) return PrintAdminCallError(reload.status(), output);
  if (output.json) {
    output.results << nlohmann::json{{"applied", reload->applied},
                                     {"needs_restart", reload->needs_restart}}
                          .dump()
                   << "\n";
    return kExitOk;
  }
  output.results << "applied\t"
                 << (reload->applied.empty()
                         ? "nothing"
                         : absl::StrJoin(reload->applied, ", "))
                 << "\n";
  if (!reload->needs_restart.empty()) {
    output.results << "needs a restart\t"
                   << absl::StrJoin(reload->needs_restart, ", ") << "\n";
  }
  return kExitOk;
}

}  // namespace

ClientRun DefineReload(CommandFlags&, ClientFlags&) { return RunReload; }

}  // namespace slice
