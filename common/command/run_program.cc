#include "common/command/run_program.h"

#include <string>

#include "common/command/printable_stream.h"

namespace slice {

int RunProgram(const Program& program, std::span<const StatusCommand> commands,
               int argc, const char* const* argv, std::ostream& out,
               std::ostream& raw_errors) {
  PrintableStream errors(raw_errors);
  CommandLine line(program);
  const auto parsed = ParseCommand<StatusRun>(line, commands, argc, argv);
  if (!parsed.line.text.empty()) {
    out << parsed.line.text;
    return kExitOk;
  }
  const auto report = [&](const absl::Status& status) {
    errors << program.name << ": " << std::string(status.message()) << "\n";
  };
  if (!parsed.line.status.ok()) {
    report(parsed.line.status);
    const std::string& command = parsed.line.command;
    errors << "Run " << program.name << (command.empty() ? "" : " ") << command
           << " --help for more information.\n";
    return kExitUsage;
  }
  const absl::Status status = parsed.run({out, errors});
  if (status.ok()) return kExitOk;
  report(status);
  return absl::IsInvalidArgument(status) || absl::IsFailedPrecondition(status)
             ? kExitUsage
             : kExitFailure;
}

}  // namespace slice
