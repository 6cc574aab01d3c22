// What the commands of slice-client share: where they write their results and
// errors, and the type of a row in the table of commands (client_program.cc).
#ifndef SLICE_CLIENT_COMMANDS_CLIENT_COMMAND_H_
#define SLICE_CLIENT_COMMANDS_CLIENT_COMMAND_H_

#include <functional>
#include <ostream>

#include "absl/status/status.h"
#include "client/commands/client_flags.h"
#include "client/link_client.h"
#include "client/text_style.h"
#include "client/text_table.h"
#include "common/command/command_line.h"

namespace slice {

// Where a command writes. `style` says how `results` is drawn.
struct CommandOutput {
  std::ostream& results;
  std::ostream& messages;
  TextStyle style;
  bool json = false;  // write results as JSON, one object per line
};

// Runs a command; returns the exit status (client/exit_codes.h).
using ClientRun =
    std::function<int(const LinkClient& client, const CommandOutput& output)>;
using ClientCommand = Command<ClientRun, ClientFlags>;

// Prints an aligned table on a terminal, and tab-separated lines elsewhere.
void PrintTable(const TextTable& table, const CommandOutput& output);

// Prints the error of a call and returns its exit status.
int PrintCallError(const absl::Status& status, const CommandOutput& output);

// Prints what is wrong with the values of flags; returns kExitUsage, or the
// status of a call that was needed to read them.
int PrintUsageError(const absl::Status& status, const CommandOutput& output);

// As PrintCallError, for a call of AdminService: says which address to give
// when the server has no such service there.
int PrintAdminCallError(const absl::Status& status,
                        const CommandOutput& output);

// Prints the error of reading a file of this machine and returns its exit
// status: kExitUsage for a malformed file, otherwise kExitFailure.
int PrintFileError(const absl::Status& status, const CommandOutput& output);

}  // namespace slice

#endif  // SLICE_CLIENT_COMMANDS_CLIENT_COMMAND_H_
