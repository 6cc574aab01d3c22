// Measures the trained network, in these steps:
//   1. the valid links set the default scorer, and the calibrations of each
//      question and relation;
//      A run on a small graph takes samples of the held-out links, and says so;
//   2. the test links are scored by the network and by other methods, and the
//      results fill the report;
//   3. with --compare-pretraining, the network that was fine-tuned without
//      pre-training is measured too.
// The record keeps what the manifest needs: the reading and some metrics.
#include "trainer/fit/evaluation_step.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "common/thousands.h"
#include "model/reading_json.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/evaluation/model_calibration.h"
#include "trainer/fit/embedding_attributes.h"
#include "trainer/fit/evaluation_limits.h"
#include "trainer/fit/frozen_model.h"
#include "trainer/fit/report_facts.h"
#include "trainer/fit/step_fingerprint.h"
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

// Says for the log and the report what was left out; empty when nothing was.
std::string SampleNote(const ModelEvaluation& evaluation,
                       const ModelFusion& fusion) {
  std::vector<std::string> samples;
  const auto add = [&](const char* what, size_t taken, size_t all) {
    if (taken >= all) return;
    samples.push_back(absl::StrCat(FormatThousands(taken), " of ",
                                   FormatThousands(all), " ", what));
  };
  add("valid rows", evaluation.limits.rows, evaluation.valid.size());
  add("test rows", evaluation.limits.rows, evaluation.test.size());
  add("ranking questions about valid links", fusion.asked, fusion.of);
  if (samples.empty()) return "";
  return absl::StrCat(
      "So that it takes less time than training, the evaluation took a "
      "sample: ",
      absl::StrJoin(samples, ", "),
      ". With --full-evaluation it takes all of them.");
}

// Says why valid kept or dropped parts of the model.
void AddReasons(const LearningInputs& inputs, const ModelFusion& fusion,
                TrainingReport& report) {
  for (const auto& [name, reason] :
       {std::pair("walk features", inputs.walk_reason),
        std::pair("ranking network", fusion.network_reason),
        std::pair("knowledge graph embedding", fusion.knowledge_reason)}) {
    if (!reason.empty()) report.facts.push_back({name, reason});
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

absl::StatusOr<StepFingerprint> EvaluationStep::Fingerprint() const {
  const std::optional<Scorer>& forced = model_.inputs.options.scorer;
  return MakeStepFingerprint(
      kName, {{"the step fine-tune", model_.fine_tuned.fingerprint},
              {"the step rank", model_.ranking.fingerprint},
              {"the step fuse", model_.fusion.fingerprint},
              {"the version of the evaluation", kEvaluationVersion},
              {"--full-evaluation", model_.inputs.options.full_evaluation},
              {"--scorer", forced.has_value() ? std::string(ScorerName(*forced))
                                              : std::string("auto")},
              {"--show", model_.inputs.options.shown}});
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
  // For random vectors the report has no row "embedding dot product".
  if (inputs.options.embedding_source != EmbeddingSource::kRandom) {
    evaluation.embeddings = structural;
  }
  evaluation.shown = inputs.training.shown;
  evaluation.limits =
      EvaluationLimitsOf(inputs.options, inputs.graph().link_count());
  TrainingReport report = EmptyReport();
  SLICE_ASSIGN_OR_RETURN(ScoredSplit valid, ScoreValid(evaluation));
  SLICE_ASSIGN_OR_RETURN(
      CalibratedReading calibrated,
      CalibrateModel(evaluation, inputs.options.scorer, valid));
  evaluation.reading = std::move(calibrated.reading);
  evaluation.reading.rule_weights = model_.fusion.rule_weights;
  report.facts.push_back({"default scorer", calibrated.scorer_reason});
  const ModelFusion& fusion = model_.fusion;
  AddReasons(inputs, fusion, report);
  if (std::string note = SampleNote(evaluation, fusion); !note.empty()) {
    LogInfo("%s", note);
    report.notes.push_back(std::move(note));
  }
  SLICE_RETURN_IF_ERROR(EvaluateTest(evaluation, &valid, report).status());
  SLICE_RETURN_IF_ERROR(ComparePretraining(evaluation.limits.rows, report));
  SLICE_RETURN_IF_ERROR(WriteReportFiles(ReportFolder(), report));
  Json record;
  AddReading(evaluation.reading, inputs.graph().relations(),
             /*by_relation=*/true, record);
  record["scorer_reason"] = calibrated.scorer_reason;
  const Json written = ReportToJson(report);
  record["metrics"] = SummaryMetrics(written);
  for (const char* count : {"positives", "negatives"})
    record["test"][count] = written["overall"][count];
  return record;
}

absl::Status EvaluationStep::ComparePretraining(size_t rows,
                                                TrainingReport& report) const {
  const FineTunedNetwork& tuned = model_.fine_tuned;
  if (tuned.network_without_pretraining_file.empty()) return absl::OkStatus();
  SLICE_ASSIGN_OR_RETURN(const double with,
                         ContextAuroc(tuned.network_file, rows));
  SLICE_ASSIGN_OR_RETURN(
      const double without,
      ContextAuroc(tuned.network_without_pretraining_file, rows));
  report.pretraining = {with, without};
  return absl::OkStatus();
}

TrainingReport EvaluationStep::EmptyReport() const {
  const FitOptions& options = model_.inputs.options;
  TrainingReport report;
  report.title = ReportTitle("slice", options.train, options.leaky);
  report.seed = options.seed;
  report.leaky = options.leaky;
  report.created =
      absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone());
  report.facts = ReportFacts(options, model_.inputs.training);
  report.notes = ReportNotes(options, model_.inputs.training);
  if (model_.inputs.training.drawn_valid_negatives > 0) {
    report.notes.emplace_back(
        "The valid file has no non-links, so they were drawn: one end of a "
        "link replaced by any node. Probabilities and thresholds hold for such "
        "pairs.");
  }
  AppendCurves(model_.inputs.embeddings.losses, report.losses);
  AppendCurves(model_.structural.losses, report.losses);
  AppendCurves(model_.pretrained.losses, report.losses);
  AppendCurves(model_.fine_tuned.losses, report.losses);
  report.steps = finished_;
  return report;
}

absl::StatusOr<double> EvaluationStep::ContextAuroc(
    const std::filesystem::path& network, size_t rows) const {
  SLICE_ASSIGN_OR_RETURN(const FrozenModel frozen,
                         FrozenModel::Load(model_, network));
  const ModelEvaluation evaluation = frozen.Evaluation();
  ScoreSplitOptions options =
      evaluation.SplitOptions("test links, with and without pre-training");
  options.answering = Scorer::kContext;
  options.sets = {NegativeSet::kPublished};
  options.baselines = false;
  SLICE_ASSIGN_OR_RETURN(
      const ScoredSplit scored,
      ScoreSplit(evaluation.model, SampleRows(evaluation.test, rows),
                 evaluation.Known(), options));
  return Auroc(scored.model().of(Question::kPlausible), scored.links.labels);
}

absl::StatusOr<EvaluatedModel> EvaluationStep::Load(const Json& record) const {
  EvaluatedModel evaluated;
  evaluated.report_json = ReportFolder() / "report.json";
  SLICE_RETURN_IF_ERROR(ReadReading(record, model_.inputs.graph().relations(),
                                    /*by_relation=*/true, evaluated.reading));
  evaluated.scorer_reason = record["scorer_reason"].get<std::string>();
  for (const auto& [name, value] : record["metrics"].items()) {
    // A set may have no negatives, and then no figures.
    if (value.is_number() && std::isfinite(value.get<double>())) {
      evaluated.metrics[name] = value.get<double>();
    }
  }
  const Json& test = record["test"];
  evaluated.test.positives = test["positives"].get<uint64_t>();
  evaluated.test.negatives = test["negatives"].get<uint64_t>();
  evaluated.test.auroc = evaluated.metrics.at("test.auroc");
  evaluated.test.accuracy = evaluated.metrics.at("test.accuracy");
  return evaluated;
}

}  // namespace slice
