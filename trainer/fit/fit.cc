// A training run is this list of steps. Each is a class with a file of its own
// and takes the results of the steps before it as values:
//   store_step         the graph of a live store -> one file of links
//   split_step         one file of links -> train, valid and test
//   import_step        the files -> snapshots, folds, sampler of negatives
//   own_pair_step      whether a question sees the other links of its pair
//   embedding_step     one vector per node
//   statistics_step    what pair features read besides the graph
//   walk_step          whether pair features read walks
//   structural_step    the scorer that reads the pair features alone
//   pretraining_step   the network pre-trained on masked nodes
//   fine_tuning_step   the whole network trained on labelled links
//   ranking_step       a network that ranks candidates
//   knowledge_step     a knowledge graph embedding
//   fusion_step        what counts beside the network
//   evaluation_step    calibration and report
//   publishing_step    the bundle
// All steps but the import leave their results in <out>.work. The record of a
// step has a fingerprint of everything that its result depends on
// (finish_step.h, step_log.h), so a later run with the same inputs and options
// loads the result. A lock on <out>.work keeps other runs out.
#include "trainer/fit/fit.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "common/available_memory.h"
#include "common/directory_lock.h"
#include "common/files.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "common/thousands.h"
#include "model/model_bundle.h"
#include "trainer/fit/embedding_step.h"
#include "trainer/fit/evaluation_step.h"
#include "trainer/fit/finish_step.h"
#include "trainer/fit/fusion_step.h"
#include "trainer/fit/import_step.h"
#include "trainer/fit/knowledge_step.h"
#include "trainer/fit/own_pair_step.h"
#include "trainer/fit/publishing_step.h"
#include "trainer/fit/ranking_step.h"
#include "trainer/fit/run_estimate.h"
#include "trainer/fit/split_step.h"
#include "trainer/fit/step_log.h"
#include "trainer/fit/store_step.h"
#include "trainer/fit/trained_model.h"
#include "trainer/fit/training_steps.h"
#include "trainer/fit/validation_step.h"
#include "trainer/report/auroc_error.h"

namespace slice {
namespace {

// `options` with three files of links: those that it has, or those of a split.
absl::StatusOr<FitOptions> WithThreeFiles(const FitOptions& given,
                                          StepLog& log) {
  if (!given.splits_links()) return given;
  FitOptions options = given;
  if (!given.from_store.empty()) {
    SLICE_ASSIGN_OR_RETURN(const StoreStep step, StoreStep::Open(given));
    SLICE_ASSIGN_OR_RETURN(const StoreFiles files, FinishStep(log, step));
    LogInfo("%s", files.description);
    options = WithStoreFiles(given, files);
  }
  SLICE_ASSIGN_OR_RETURN(const SplitLinkFiles files,
                         FinishStep(log, SplitStep(options)));
  for (const std::string& line : files.description) LogInfo("%s", line);
  return WithSplitFiles(options, files);
}

int StepCount(const FitOptions& options) {
  return kStepsOfEveryRun + (options.splits_links() ? 1 : 0) +
         (options.from_store.empty() ? 0 : 1) +
         (DecidesOwnPairOnValid(options) ? 1 : 0) +
         (LearnsToRank(options) ? 1 : 0) +
         (options.uses_pair_features() && options.walk_dim > 0 ? 1 : 0) +
         (options.uses_pair_features() ? (options.knowledge ? 2 : 1) : 0);
}

// Says what the run will take. Time is given for all steps, done before or not.
void LogEstimate(const FitOptions& options, const ImportedTraining& training) {
  const RunEstimate estimate = EstimateRun(
      options,
      MeasureRun(training.graph().node_count(), training.imported.data.links,
                 training.valid().size(), training.test().size()));
  LogInfo("all steps take %s; those already done are not repeated",
          DescribeEstimate(estimate, options.WorkerThreads()));
  const std::string warning = MemoryWarning(estimate, AvailableMemoryMib());
  if (!warning.empty()) LogWarning("%s", warning);
}

// Says in plain words how good the model is, and how sure that is.
void LogVerdict(const EvaluatedModel& evaluated) {
  constexpr uint64_t kFewPairs = 50;
  const BinaryMetrics& test = evaluated.test;
  const bool few = std::min(test.positives, test.negatives) < kFewPairs;
  LogInfo(
      "verdict: of a held-out link and a pair that is none, the model ranks "
      "the link higher %.1f times in 100 (± %.1f, by %s links and %s pairs); "
      "about such pairs its yes or no is right %.1f times in 100%s%s",
      100 * test.auroc, 100 * 1.96 * AurocStandardError(test),
      FormatThousands(test.positives), FormatThousands(test.negatives),
      100 * test.accuracy,
      test.auroc < 0.6 ? "; that is hardly better than guessing" : "",
      few ? "; so few test rows say little" : "");
}

// Trains what counts beside the network, where that is asked for and
// affordable, and fuses it with `model`.
absl::Status Fuse(StepLog& log, TrainedModel& model) {
  const LearningInputs& inputs = model.inputs;
  if (!inputs.options.uses_pair_features()) return absl::OkStatus();
  if (LearnsToRank(inputs.options)) {
    SLICE_ASSIGN_OR_RETURN(model.ranking, FinishStep(log, RankingStep(model)));
  }
  std::optional<KnowledgeEmbedding> embedding;
  if (TrainsKnowledge(inputs.options, inputs.graph().node_count(),
                      inputs.graph().link_count())) {
    SLICE_ASSIGN_OR_RETURN(
        embedding,
        FinishStep(log, KnowledgeStep(inputs.options, inputs.training)));
  }
  SLICE_ASSIGN_OR_RETURN(ModelFusion fusion,
                         FinishStep(log, FusionStep(model, embedding)));
  return ApplyFusion(std::move(fusion), model);
}

// What a run trains on.
struct Prepared {
  FitOptions options;
  ImportedTraining training;
};

// Reads the files of `given`, splits them first if they are one, and decides
// what options.own_pair_auto leaves open.
absl::StatusOr<Prepared> Prepare(const FitOptions& given, StepLog& log) {
  SLICE_ASSIGN_OR_RETURN(FitOptions options, WithThreeFiles(given, log));
  SLICE_RETURN_IF_ERROR(DecideOwnPairByOptions(&options));
  SLICE_ASSIGN_OR_RETURN(ImportedTraining training, ImportTraining(options));
  LogEstimate(options, training);
  if (options.own_pair_auto) {
    SLICE_ASSIGN_OR_RETURN(const OwnPairChoice choice,
                           FinishStep(log, OwnPairStep(options, training)));
    LogInfo("own pair's links: %s", choice.reason);
    const bool same = choice.links == options.own_pair_links;
    choice.ApplyTo(&options);
    // Folds depend on the choice.
    if (!same) {
      SLICE_ASSIGN_OR_RETURN(training, ImportTraining(options));
    }
  }
  SLICE_RETURN_IF_ERROR(ExportEmbeddingGraph(options, training));
  return Prepared{std::move(options), std::move(training)};
}

}  // namespace

absl::Status Fit(const FitOptions& given) {
  SLICE_RETURN_IF_ERROR(given.Validate());
  SLICE_RETURN_IF_ERROR(CheckBundleDestination(given.out));
  SLICE_ASSIGN_OR_RETURN(const DirectoryLock lock,
                         DirectoryLock::Acquire(given.WorkFolder()));
  StepLog log(given.WorkFolder(), StepCount(given));
  SLICE_ASSIGN_OR_RETURN(Prepared prepared, Prepare(given, log));
  const FitOptions& options = prepared.options;
  SLICE_ASSIGN_OR_RETURN(std::optional<TrainedModel> model,
                         RunTrainingSteps(options, std::move(prepared.training),
                                          options.last_step, log));
  if (!model || options.last_step == FitStep::kFineTune) {
    return absl::OkStatus();
  }
  SLICE_RETURN_IF_ERROR(Fuse(log, *model));
  SLICE_ASSIGN_OR_RETURN(const EvaluatedModel evaluated,
                         FinishStep(log, EvaluationStep(*model, log.times())));
  if (!options.PublishesBundle()) return absl::OkStatus();
  // A bundle that was moved away is published anew.
  if (!HasBundle(options.out)) log.Forget(PublishingStep::kName);
  SLICE_ASSIGN_OR_RETURN(
      const PublishedBundle bundle,
      FinishStep(log, PublishingStep(*model, evaluated, log.times())));
  LogVerdict(evaluated);
  LogInfo("report: %s", (bundle.directory / "report/report.html").string());
  LogInfo("bundle: %s", bundle.directory.string());
  LogInfo("serve it: slice-server --bundle %s --data-dir DIR",
          bundle.directory.string());
  return absl::OkStatus();
}

absl::StatusOr<FitMeasurement> MeasureFit(const FitOptions& given) {
  SLICE_RETURN_IF_ERROR(given.Validate());
  SLICE_ASSIGN_OR_RETURN(const DirectoryLock lock,
                         DirectoryLock::Acquire(given.WorkFolder()));
  StepLog log(given.WorkFolder(), StepCount(given));
  SLICE_ASSIGN_OR_RETURN(Prepared prepared, Prepare(given, log));
  SLICE_ASSIGN_OR_RETURN(
      const std::optional<TrainedModel> model,
      RunTrainingSteps(prepared.options, std::move(prepared.training),
                       FitStep::kFineTune, log));
  SLICE_ASSIGN_OR_RETURN(const ValidationFigures figures,
                         FinishStep(log, ValidationStep(*model)));
  return FitMeasurement{figures.by_question, log.times()};
}

}  // namespace slice
