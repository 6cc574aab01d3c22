#include "trainer/methods/preset_run.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

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
#include "trainer/methods/run_files.h"
#include "trainer/methods/test_scores.h"
#include "trainer/report/report_json.h"

namespace slice {
namespace {

// What a user gets who types the preset and no other flag.
FitOptions TypedOptions(const MethodInfo& info) {
  FitOptions fit;
  fit.ApplyPreset(info.preset).IgnoreError();  // MethodInfo names a preset
  return fit;
}

FitOptions FitOptionsOf(const MethodInfo& info,
                        const MethodRunOptions& options) {
  FitOptions fit = TypedOptions(info);
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

// A bundle with the links that it is measured on.
struct PresetModel {
  std::unique_ptr<const OfflineModel> model;
  std::vector<LabelledLink> valid, test;

  ModelEvaluation Evaluation(int threads) const {
    ModelEvaluation evaluation;
    evaluation.model = model->scoring();
    evaluation.reading = model->bundle().manifest().reading;
    evaluation.valid = valid;
    evaluation.test = test;
    evaluation.threads = threads > 0 ? threads : ProcessorCount();
    return evaluation;
  }
};

absl::StatusOr<PresetModel> OpenBundle(const FitOptions& fit,
                                       const MethodRunOptions& options) {
  PresetModel preset;
  SLICE_ASSIGN_OR_RETURN(preset.model, OfflineModel::Open(fit.out));
  const GraphSnapshot& graph = preset.model->graph();
  SLICE_ASSIGN_OR_RETURN(preset.valid, ReadLabelledLinks(options.valid, graph));
  SLICE_ASSIGN_OR_RETURN(preset.test, ReadLabelledLinks(options.test, graph));
  return preset;
}

// Scores the test links and their published negatives as the report does.
absl::Status KeepTestScores(const ModelEvaluation& evaluation,
                            const std::filesystem::path& out) {
  ScoreSplitOptions options = evaluation.SplitOptions("test links");
  options.sets = {NegativeSet::kPublished};
  options.baselines = false;
  SLICE_ASSIGN_OR_RETURN(ScoredSplit test,
                         ScoreSplit(evaluation.model, evaluation.test,
                                    evaluation.Known(), options));
  return WriteTestScores(out,
                         {test.ScoresOf(test.model(), NegativeSet::kPublished),
                          test.LabelsOf(NegativeSet::kPublished)});
}

// Ranks test links by the bundle and adds the ranking to the report.
absl::Status RankByBundle(const ModelEvaluation& evaluation,
                          const MethodRunOptions& options,
                          TrainingReport& report) {
  const GraphSnapshot& graph = *evaluation.model.snapshot;
  if (graph.relation_count() < options.least_ranked_relations) {
    return absl::OkStatus();
  }
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

std::string PresetParameters(const MethodInfo& info) {
  const FitOptions fit = TypedOptions(info);
  return absl::StrCat("preset=", info.preset,
                      " own_pair_links=", fit.own_pair_auto ? "auto" : "hide",
                      " walk_dim=", fit.walk_dim,
                      " knowledge=", fit.knowledge ? "auto" : "none",
                      " hard_questions=", fit.hard_questions);
}

absl::StatusOr<TrainingReport> RunPreset(const MethodInfo& info,
                                         const MethodRunOptions& options) {
  if (options.out.empty() && options.bundle.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        info.name,
        " needs a folder for its bundle; name one with --out or --bundle"));
  }
  const FitOptions fit = FitOptionsOf(info, options);
  SLICE_RETURN_IF_ERROR(Fit(fit));
  SLICE_ASSIGN_OR_RETURN(const std::string json,
                         ReadFile(fit.out / "report" / "report.json"));
  SLICE_ASSIGN_OR_RETURN(TrainingReport report, ReportFromJson(json));
  report.facts.push_back({"method", info.name});
  report.facts.push_back({"parameters", PresetParameters(info)});
  if (options.rank_positives == 0 && options.out.empty()) return report;
  SLICE_ASSIGN_OR_RETURN(const PresetModel preset, OpenBundle(fit, options));
  const ModelEvaluation evaluation = preset.Evaluation(options.threads);
  if (options.rank_positives > 0) {
    SLICE_RETURN_IF_ERROR(RankByBundle(evaluation, options, report));
  }
  if (!options.out.empty()) {
    SLICE_RETURN_IF_ERROR(RemoveRunFiles(options.out));
    SLICE_RETURN_IF_ERROR(KeepTestScores(evaluation, options.out));
  }
  return report;
}

}  // namespace slice
