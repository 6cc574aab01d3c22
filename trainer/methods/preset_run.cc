#include "trainer/methods/preset_run.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/files.h"
#include "common/peak_memory.h"
#include "common/processor_count.h"
#include "common/status_macros.h"
#include "trainer/evaluation/model_evaluation.h"
#include "trainer/evaluation/offline_model.h"
#include "trainer/evaluation/ranking_evaluation.h"
#include "trainer/fit/fit.h"
#include "trainer/fit/fit_options.h"
#include "trainer/methods/method_evaluation.h"
#include "trainer/report/report_json.h"

namespace slice {
namespace {

absl::StatusOr<FitOptions> FitOptionsOf(const MethodInfo& info,
                                        const MethodRunOptions& options) {
  FitOptions fit;
  SLICE_RETURN_IF_ERROR(fit.ApplyPreset(info.preset));
  fit.train = options.files.train;
  fit.nodes = options.files.nodes;
  fit.files = options.files;
  fit.valid = options.valid;
  fit.test = options.test;
  fit.out = options.bundle.empty() ? options.out / "bundle" : options.bundle;
  fit.seed = options.seed;
  fit.threads = options.threads;
  fit.full_evaluation = true;  // comparisons measure all
  return fit;
}

// Ranks test links by the bundle and adds the ranking to the report.
absl::Status RankByBundle(const FitOptions& fit,
                          const MethodRunOptions& options,
                          TrainingReport& report) {
  SLICE_ASSIGN_OR_RETURN(const auto model, OfflineModel::Open(fit.out));
  const GraphSnapshot& graph = model->graph();
  if (graph.relation_count() < options.least_ranked_relations) {
    return absl::OkStatus();
  }
  SLICE_ASSIGN_OR_RETURN(const auto valid,
                         ReadLabelledLinks(options.valid, graph));
  SLICE_ASSIGN_OR_RETURN(const auto test,
                         ReadLabelledLinks(options.test, graph));
  ModelEvaluation evaluation;
  evaluation.model = model->scoring();
  evaluation.reading = model->bundle().manifest().reading;
  evaluation.valid = valid;
  evaluation.test = test;
  evaluation.threads = options.threads > 0 ? options.threads : ProcessorCount();
  RankTestOptions rank;
  rank.positives = options.rank_positives;
  ResetPeakMemory();
  const absl::Time start = absl::Now();
  SLICE_ASSIGN_OR_RETURN(RankingTable table, RankTestLinks(evaluation, rank));
  report.steps.push_back(
      {"rank", absl::ToDoubleSeconds(absl::Now() - start), PeakMemoryMib()});
  // With one node type every node is a candidate.
  if (graph.node_type_count() == 1) table.title = kRankingAmongAll;
  report.rankings.push_back(std::move(table));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TrainingReport> RunPreset(const MethodInfo& info,
                                         const MethodRunOptions& options) {
  if (options.out.empty() && options.bundle.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        info.name,
        " needs a folder for its bundle; name one with --out or --bundle"));
  }
  SLICE_ASSIGN_OR_RETURN(const FitOptions fit, FitOptionsOf(info, options));
  SLICE_RETURN_IF_ERROR(Fit(fit));
  SLICE_ASSIGN_OR_RETURN(const std::string json,
                         ReadFile(fit.out / "report" / "report.json"));
  SLICE_ASSIGN_OR_RETURN(TrainingReport report, ReportFromJson(json));
  report.facts.push_back({"method", info.name});
  report.facts.push_back({"parameters", absl::StrCat("preset=", info.preset)});
  if (options.rank_positives > 0) {
    SLICE_RETURN_IF_ERROR(RankByBundle(fit, options, report));
  }
  return report;
}

}  // namespace slice
