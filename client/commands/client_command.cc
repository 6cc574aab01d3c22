#include "client/commands/client_command.h"

#include "client/exit_codes.h"

namespace slice {

void PrintTable(const TextTable& table, const CommandOutput& output) {
  output.results << (output.style.terminal ? table.Draw(output.style, 0)
                                           : table.TabSeparated());
}

int PrintCallError(const absl::Status& status, const CommandOutput& output) {
  output.messages << ErrorText("", status);
  return ExitCodeFor(status);
}

int PrintAdminCallError(const absl::Status& status,
                        const CommandOutput& output) {
  if (!absl::IsUnimplemented(status)) return PrintCallError(status, output);
  return PrintCallError(
      absl::UnimplementedError("this address has no AdminService; give that of "
                               "slice-server's --admin-listen, such as "
                               "--server unix:PATH"),
      output);
}

int PrintUsageError(const absl::Status& status, const CommandOutput& output) {
  if (!absl::IsInvalidArgument(status)) return PrintCallError(status, output);
  output.messages << "error: " << status.message() << "\n";
  return kExitUsage;
}

int PrintFileError(const absl::Status& status, const CommandOutput& output) {
  output.messages << "error: " << status.message() << "\n";
  return absl::IsInvalidArgument(status) ? kExitUsage : kExitFailure;
}

}  // namespace slice
