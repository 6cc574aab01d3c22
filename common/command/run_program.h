// Runs programs whose commands return a status: slice-graph and slice-trainer.
#ifndef SLICE_COMMON_COMMAND_RUN_PROGRAM_H_
#define SLICE_COMMON_COMMAND_RUN_PROGRAM_H_

#include <functional>
#include <ostream>
#include <span>

#include "absl/status/status.h"
#include "common/command/command_line.h"
#include "common/command/exit_status.h"

namespace slice {

// Where a command writes: results to `out`, messages to `errors`.
struct CommandStreams {
  std::ostream& out;
  std::ostream& errors;
};

using StatusRun = std::function<absl::Status(const CommandStreams& streams)>;
using StatusCommand = Command<StatusRun>;

// Runs the command that the line names. What goes to `errors` passes through a
// PrintableStream, so that it cannot control the terminal. Returns the exit
// status: kExitUsage for a wrong line, kExitFailure when `out` cannot be
// written, else ExitStatusOf what the command returned.
int RunProgram(const Program& program, std::span<const StatusCommand> commands,
               int argc, const char* const* argv, std::ostream& out,
               std::ostream& errors);

}  // namespace slice

#endif  // SLICE_COMMON_COMMAND_RUN_PROGRAM_H_
