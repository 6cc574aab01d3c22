#include "trainer/fit_command.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/files.h"
#include "common/interrupt_notice.h"
#include "common/status_macros.h"
#include "trainer/fit/fit.h"
#include "trainer/fit_flags.h"

namespace slice {
namespace {

struct FitCommand {
  FitFlags flags;
  bool json = false;
};

// Runs the steps up to `last_step`, and prints the report if the step that
// makes it is among them.
absl::Status RunFit(const FitCommand& command, FitStep last_step,
                    std::ostream& out) {
  FitOptions options = command.flags.options;
  options.last_step = last_step;
  const InterruptNotice notice(absl::StrCat(
      "interrupted: the same command goes on from the finished steps in ",
      options.WorkFolder().string()));
  SLICE_RETURN_IF_ERROR(Fit(options));
  if (last_step < FitStep::kEvaluate) return absl::OkStatus();
  SLICE_ASSIGN_OR_RETURN(
      const std::string report,
      ReadFile(options.ReportFolder() /
               (command.json ? "report.json" : "report.txt")));
  out << report << std::flush;
  return absl::OkStatus();
}

StatusRun DefineSteps(CommandFlags& flags, FitStep last_step) {
  const auto command = std::make_shared<FitCommand>();
  AddFitFiles(flags, command->flags);
  flags.AddSwitch("--json", command->json, "print the report as JSON");
  AddFitSettings(flags, command->flags);
  flags.Check([command] { return FinishFlags(command->flags); });
  return [command, last_step](const CommandStreams& streams) {
    return RunFit(*command, last_step, streams.out);
  };
}

}  // namespace

StatusRun DefineFit(CommandFlags& flags) {
  return DefineSteps(flags, FitStep::kBundle);
}
StatusRun DefineEmbed(CommandFlags& flags) {
  return DefineSteps(flags, FitStep::kEmbed);
}
StatusRun DefinePretrain(CommandFlags& flags) {
  return DefineSteps(flags, FitStep::kPretrain);
}
StatusRun DefineFineTune(CommandFlags& flags) {
  return DefineSteps(flags, FitStep::kFineTune);
}

}  // namespace slice
