#include "trainer/evaluate_command.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/files.h"
#include "common/parallel.h"
#include "common/status_macros.h"
#include "trainer/evaluation.h"
#include "trainer/offline_model.h"

namespace slice {

absl::Status RunEvaluate(const EvaluateOptions& options) {
  SLICE_ASSIGN_OR_RETURN(const auto model, OfflineModel::Open(options.bundle));
  SLICE_ASSIGN_OR_RETURN(const std::vector<LabelledLink> labelled,
                         ReadLabelledLinks(options.test, model->graph()));
  const int threads = options.threads > 0 ? options.threads : HardwareThreads();
  SLICE_ASSIGN_OR_RETURN(
      const ScoredSplit scored,
      ScoreSplit(model->scoring(), labelled, threads, "test links"));
  const BundleManifest& manifest = model->bundle().manifest();
  TrainingReport report;
  report.title = absl::StrCat("slice on ", options.test.string());
  report.bundle_id = manifest.bundle_id;
  report.seed = manifest.seed;
  report.created =
      absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone());
  ReportTest(scored, manifest.reading.of(Question::kPlausible), model->graph(),
             report);
  report.results = {{"As published", "", {{"slice", report.overall, true}}}};
  if (!options.html.empty()) {
    SLICE_RETURN_IF_ERROR(
        WriteFileAtomically(options.html, RenderReportHtml(report)));
  }
  const std::string text =
      options.json ? ReportToJson(report).dump(2) + "\n" : ReportText(report);
  std::fputs(text.c_str(), stdout);
  return absl::OkStatus();
}

}  // namespace slice
