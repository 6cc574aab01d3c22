#include "common/command/run_program.h"

#include <exception>
#include <new>
#include <string>

#include "common/command/printable_stream.h"

namespace slice {
namespace {

// Commands return their errors. This is for what a library throws in spite of
// that, so that no error of a file or of memory ends in an abort.
absl::Status RunCaught(const StatusRun& run, const CommandStreams& streams) {
  try {
    return run(streams);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(
        "out of memory; raise ulimit -v or the container's limit");
  } catch (const std::exception& error) {
    return absl::InternalError(error.what());
  }
}

// Only a flush tells whether what was written is there, such as on a full disk.
absl::Status Flush(std::ostream& out) {
  if (out.flush().good()) return absl::OkStatus();
  return absl::InternalError("cannot write the output; is the disk full?");
}

}  // namespace

int RunProgram(const Program& program, std::span<const StatusCommand> commands,
               int argc, const char* const* argv, std::ostream& out,
               std::ostream& raw_errors) {
  PrintableStream errors(raw_errors);
  CommandLine line(program);
  const auto parsed = ParseCommand<StatusRun>(line, commands, argc, argv);
  const auto report = [&](const absl::Status& status) {
    errors << program.name << ": " << std::string(status.message()) << "\n";
  };
  if (!parsed.line.text.empty()) {
    out << parsed.line.text;
    const absl::Status written = Flush(out);
    if (written.ok()) return kExitOk;
    report(written);
    return kExitFailure;
  }
  if (!parsed.line.status.ok()) {
    report(parsed.line.status);
    const std::string& command = parsed.line.command;
    errors << "Run " << program.name << (command.empty() ? "" : " ") << command
           << " --help for more information.\n";
    return kExitUsage;
  }
  absl::Status status = RunCaught(parsed.run, {out, errors});
  if (status.ok()) status = Flush(out);
  if (status.ok()) return kExitOk;
  report(status);
  return ExitStatusOf(status);
}

}  // namespace slice
