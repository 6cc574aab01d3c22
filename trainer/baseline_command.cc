#include "trainer/baseline_command.h"

#include <memory>
#include <string>

#include "common/files.h"
#include "common/status_macros.h"
#include "trainer/methods/method_registry.h"
#include "trainer/report/report_files.h"
#include "trainer/threads_flag.h"
#include "trainer/training_files_flags.h"

namespace slice {
namespace {

struct BaselineFlags {
  BaselineOptions options;
  LinkFileTexts link_files;
};

}  // namespace

absl::Status RunBaseline(const BaselineOptions& options) {
  SLICE_RETURN_IF_ERROR(CreateFolderOf(options.html));
  SLICE_ASSIGN_OR_RETURN(const TrainingReport report, RunMethod(options.run));
  return ShowReport(report, options.html, options.json);
}

StatusRun DefineBaseline(CommandFlags& flags) {
  const auto baseline = std::make_shared<BaselineFlags>();
  MethodRunOptions& run = baseline->options.run;
  flags.Footer(MethodHelp());
  flags.AddArgument("METHOD", run.method,
                    "one of those below; left out: all that learn nothing");
  AddTrainingFiles(flags, {run.files.train, run.valid, run.test,
                           run.files.nodes, baseline->link_files});
  flags.Add("--out", run.out, "directory of the report and the embeddings")
      .Type("DIR");
  flags
      .Add("--bundle", run.bundle,
           "also publish a bundle for slice-server; for methods that score by "
           "dot product")
      .Type("DIR");
  flags.Add("--html", baseline->options.html, "also write the report here")
      .Type("FILE");
  flags.Add("--set", run.settings, "a parameter, as NAME=VALUE")
      .Type("NAME=VALUE")
      .OneValueEach();
  flags
      .Add("--budget", run.budget,
           "time for the training, such as 30m; the best state counts; slice "
           "and structural train to their end")
      .Between(absl::Milliseconds(1), absl::InfiniteDuration())
      .Default("");
  flags.AddSwitch("--leaky", run.leaky,
                  "also learn from the valid and test links, as in the "
                  "published protocol; the report says LEAKY, and there are "
                  "no embeddings");
  flags.Add("--rank-positives", run.rank_positives,
            "also rank this many test links among all nodes");
  flags.Add("--seed", run.seed, "seed of everything random");
  AddThreads(flags, run.threads);
  flags.AddSwitch("--json", baseline->options.json, "print the report as JSON");
  flags.Check([baseline] {
    return ApplyLinkFileTexts(baseline->link_files,
                              &baseline->options.run.files);
  });
  return [baseline](const CommandStreams&) {
    return RunBaseline(baseline->options);
  };
}

}  // namespace slice
