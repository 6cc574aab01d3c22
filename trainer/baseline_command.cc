#include "trainer/baseline_command.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/files.h"
#include "common/parallel.h"
#include "common/status_macros.h"
#include "trainer/model_evaluation.h"
#include "trainer/report_filling.h"

namespace slice {

absl::Status RunBaseline(const BaselineOptions& options) {
  EdgeListImportOptions import = options.files;
  import.held_out = {options.valid, options.test};
  SLICE_ASSIGN_OR_RETURN(const ImportedGraph imported, ImportEdgeList(import));
  SLICE_ASSIGN_OR_RETURN(const auto snapshot,
                         GraphSnapshot::Build(imported.data));
  const std::vector<LabelledLink>& valid = imported.held_out[0];
  const std::vector<LabelledLink>& test = imported.held_out[1];
  const std::span<const LabelledLink> files[] = {valid, test};
  const KnownLinks known(files);
  ScoreSplitOptions split;
  split.threads = options.threads > 0 ? options.threads : HardwareThreads();
  SLICE_ASSIGN_OR_RETURN(const ScoredSplit scored_valid,
                         ScoreBaselines(*snapshot, valid, known, split));
  SLICE_ASSIGN_OR_RETURN(const ScoredSplit scored_test,
                         ScoreBaselines(*snapshot, test, known, split));
  TrainingReport report;
  report.title = absl::StrCat("baselines on ", DataName(import.train));
  report.created =
      absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone());
  report.facts = {{"nodes", absl::StrCat(snapshot->node_count())},
                  {"train links", absl::StrCat(snapshot->link_count())},
                  {"relations", absl::StrCat(snapshot->relation_count())}};
  FillResultTables(scored_test, FitThresholds(scored_test, {}, &scored_valid),
                   report);
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
