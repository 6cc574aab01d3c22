// Measures the trained network, in these steps:
//   1. the valid links set, per question, a temperature and a threshold, and
//      the weights that rules have in rankings;
//   2. the test links are scored by the network and by other methods, and the
//      results fill the report;
//   3. with --compare-pretraining, the network that was fine-tuned without
//      pre-training is measured too.
// The record keeps what the manifest needs: the calibrations, the weights and
// some metrics.
#include "trainer/fit/evaluation_step.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/status_macros.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/evaluation/rule_weights.h"
#include "trainer/fit/embedding_attributes.h"
#include "trainer/fit/frozen_model.h"
#include "trainer/fit/report_facts.h"
#include "trainer/fit/step_log.h"
#include "trainer/report/report_files.h"
#include "trainer/report/report_json.h"

namespace slice {
namespace {

using Json = nlohmann::json;

// The metrics that the manifest holds and the call GetModelInfo returns.
Json SummaryMetrics(const Json& report) {
  Json metrics;
  for (const char* name : {"auroc", "average_precision", "f1", "accuracy"}) {
    metrics[absl::StrCat("test.", name)] = report["overall"][name];
  }
  for (const char* set : {"typed", "degree_matched", "typed_non_links"}) {
    metrics[absl::StrCat("test.", set, ".auroc")] = report[set]["auroc"];
  }
  return metrics;
}

Json ReadingJson(const OutputReading& reading) {
  Json json = {{"rule_weights", Json::array()},
               {"calibrations", Json::array()}};
  for (const RuleWeights& weights : reading.rule_weights) {
    json["rule_weights"].push_back({weights.rules, weights.constants});
  }
  for (const Calibration& calibration : reading.calibrations) {
    json["calibrations"].push_back(
        {calibration.temperature, calibration.threshold});
  }
  return json;
}

// The inverse of ReadingJson, into `reading`.
void ReadReading(const Json& json, OutputReading& reading) {
  for (size_t i = 0; i < reading.rule_weights.size(); ++i) {
    const Json& weights = json["rule_weights"][i];
    reading.rule_weights[i] = {weights[0].get<double>(),
                               weights[1].get<double>()};
  }
  for (size_t q = 0; q < kQuestions; ++q) {
    const Json& calibration = json["calibrations"][q];
    reading.calibrations[q] = {calibration[0].get<double>(),
                               calibration[1].get<double>()};
  }
}

void AppendCurves(const std::vector<NamedCurve>& from,
                  std::vector<NamedCurve>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

std::filesystem::path EvaluationStep::ReportFolder() const {
  return model_.inputs.options.WorkFile("report");
}

absl::StatusOr<std::string> EvaluationStep::Fingerprint() const {
  return StepFingerprint(kName, {model_.fine_tuned.fingerprint},
                         {{"version", kEvaluationVersion},
                          {"shown", model_.inputs.options.shown}});
}

absl::StatusOr<Json> EvaluationStep::Run() const {
  const LearningInputs& inputs = model_.inputs;
  SLICE_ASSIGN_OR_RETURN(
      const FrozenModel frozen,
      FrozenModel::Load(model_, model_.fine_tuned.network_file));
  ModelEvaluation evaluation = frozen.Evaluation();
  const auto attributes =
      static_cast<int>(inputs.training.attributes.columns.size());
  evaluation.dim = inputs.embeddings.dim - attributes;
  const std::vector<float> structural = WithoutAttributes(
      inputs.embeddings.values, inputs.embeddings.dim, attributes);
  // For random vectors the report has no row "node2vec dot product".
  if (inputs.options.embedding_source != EmbeddingSource::kRandom) {
    evaluation.embeddings = structural;
  }
  evaluation.shown = inputs.training.shown;
  SLICE_ASSIGN_OR_RETURN(const ScoredSplit valid, ScoreValid(evaluation));
  SLICE_RETURN_IF_ERROR(Calibrate(valid, evaluation));
  TrainingReport report = EmptyReport();
  SLICE_RETURN_IF_ERROR(EvaluateTest(evaluation, &valid, report).status());
  if (!model_.fine_tuned.network_without_pretraining_file.empty()) {
    SLICE_ASSIGN_OR_RETURN(const double without, AurocWithoutPretraining());
    report.pretraining = {report.Overall().auroc, without};
  }
  SLICE_RETURN_IF_ERROR(WriteReportFiles(ReportFolder(), report));
  Json record = ReadingJson(evaluation.reading);
  record["metrics"] = SummaryMetrics(ReportToJson(report));
  return record;
}

// Sets the calibrations and rule weights of evaluation.reading. `valid` is what
// ScoreValid returned.
absl::Status EvaluationStep::Calibrate(const ScoredSplit& valid,
                                       ModelEvaluation& evaluation) const {
  evaluation.reading.calibrations = CalibrateQuestions(valid);
  if (model_.inputs.training.network.pair_features == 0) {
    return absl::OkStatus();
  }
  SLICE_ASSIGN_OR_RETURN(evaluation.reading.rule_weights,
                         ChooseRuleWeights(evaluation));
  return absl::OkStatus();
}

TrainingReport EvaluationStep::EmptyReport() const {
  const FitOptions& options = model_.inputs.options;
  TrainingReport report;
  report.title = absl::StrCat(options.leaky ? "LEAKY: " : "", "slice on ",
                              DataName(options.train));
  report.seed = options.seed;
  report.created =
      absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone());
  report.facts = ReportFacts(options, model_.inputs.training);
  report.notes = ReportNotes(options);
  AppendCurves(model_.inputs.embeddings.losses, report.losses);
  AppendCurves(model_.structural.losses, report.losses);
  AppendCurves(model_.pretrained.losses, report.losses);
  AppendCurves(model_.fine_tuned.losses, report.losses);
  report.steps = finished_;
  return report;
}

absl::StatusOr<double> EvaluationStep::AurocWithoutPretraining() const {
  SLICE_ASSIGN_OR_RETURN(
      const FrozenModel frozen,
      FrozenModel::Load(model_,
                        model_.fine_tuned.network_without_pretraining_file));
  const ModelEvaluation evaluation = frozen.Evaluation();
  ScoreSplitOptions options =
      evaluation.SplitOptions("test links, without pre-training");
  options.sets = {NegativeSet::kPublished};
  options.baselines = false;
  SLICE_ASSIGN_OR_RETURN(const ScoredSplit scored,
                         ScoreSplit(evaluation.model, evaluation.test,
                                    evaluation.Known(), options));
  return Auroc(scored.model().of(Question::kPlausible), scored.links.labels);
}

absl::StatusOr<EvaluatedModel> EvaluationStep::Load(const Json& record) const {
  EvaluatedModel evaluated;
  evaluated.report_json = ReportFolder() / "report.json";
  evaluated.reading = model_.Reading();
  ReadReading(record, evaluated.reading);
  for (const auto& [name, value] : record["metrics"].items()) {
    // A set may have no negatives, and then no figures.
    if (value.is_number() && std::isfinite(value.get<double>())) {
      evaluated.metrics[name] = value.get<double>();
    }
  }
  return evaluated;
}

}  // namespace slice
