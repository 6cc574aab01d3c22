#include "trainer/sweep_command.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/interrupt_notice.h"
#include "common/status_macros.h"
#include "trainer/fit_flags.h"
#include "trainer/sweep.h"

namespace slice {
namespace {

struct SweepFlags {
  SweepOptions options;
  std::vector<std::string> axes;
  std::vector<std::string> fit;  // the flags of fit, for every cell
};

absl::Status FinishSweep(SweepFlags& flags) {
  for (const std::string& text : flags.axes) {
    SLICE_ASSIGN_OR_RETURN(SweepAxis axis, ParseSweepAxis(text));
    flags.options.axes.push_back(std::move(axis));
  }
  flags.options.make_options = [&flags](const SweepCell& cell,
                                        const std::filesystem::path& out) {
    return CellOptions(flags.fit, cell, out);
  };
  return absl::OkStatus();
}

}  // namespace

StatusRun DefineSweep(CommandFlags& flags) {
  const auto sweep = std::make_shared<SweepFlags>();
  flags
      .Add("--out", sweep->options.out,
           "directory of the cells and the results")
      .Type("DIR")
      .Required();
  flags
      .Add("--vary", sweep->axes,
           "FLAG=VALUE,VALUE of a flag of fit; one --vary per flag")
      .Type("AXIS");
  flags.AddSwitch("--one-at-a-time", sweep->options.one_at_a_time,
                  "vary each flag alone, from the first values of all");
  flags.AddSwitch("--json", sweep->options.json, "print the results as JSON");
  flags.KeepUnknown(sweep->fit);
  flags.Check([sweep] { return FinishSweep(*sweep); });
  flags.Footer("All other flags are those of fit, for every cell.");
  return [sweep](const CommandStreams&) {
    const InterruptNotice notice(absl::StrCat(
        "interrupted: the same command goes on from the finished steps in ",
        sweep->options.out.string()));
    return RunSweep(sweep->options);
  };
}

}  // namespace slice
