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
  const int exit_status = PrintCallError(status, output);
  if (absl::IsUnimplemented(status)) {
    output.messages << "give the address of slice-server's --admin-listen, "
                       "such as --server unix:PATH\n";
  }
  return exit_status;
}

int PrintFileError(const absl::Status& status, const CommandOutput& output) {
  output.messages << "error: " << status.message() << "\n";
  return absl::IsInvalidArgument(status) ? kExitUsage : kExitFailure;
}

}  // namespace slice
