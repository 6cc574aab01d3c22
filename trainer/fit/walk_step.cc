#include "trainer/fit/walk_step.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "common/logging.h"
#include "common/status_macros.h"
#include "model/torch/network.h"
#include "trainer/fit/structural_parts.h"
#include "trainer/fit/structural_training.h"
#include "trainer/fit/walk_tables.h"

namespace slice {
namespace {

using Json = nlohmann::json;

// Increase this when the same graph comes to get another choice.
constexpr int kWalkVersion = 1;
constexpr int kEpochs = 3;
constexpr uint64_t kPositives = 100'000;

}  // namespace

absl::StatusOr<StepFingerprint> WalkStep::Fingerprint() const {
  Json parts = StructuralParts(inputs_.options);
  parts["the step statistics"] = inputs_.statistics.fingerprint;
  parts["the version of the choice"] = kWalkVersion;
  return MakeStepFingerprint(kName, parts);
}

absl::StatusOr<QuestionAurocs> WalkStep::Try(const TrainingExamples& examples,
                                             bool with_walks) const {
  SLICE_ASSIGN_OR_RETURN(GraphStatistics statistics,
                         GraphStatistics::Load(inputs_.statistics.whole_graph));
  if (!with_walks) RemoveWalkTables(statistics);
  SLICE_RETURN_IF_ERROR(AddScaling(inputs_, examples, statistics));
  SLICE_ASSIGN_OR_RETURN(const EncoderTables tables,
                         StructuralTables(inputs_, statistics));
  NetworkOptions options = inputs_.Network();
  options.pair_features =
      static_cast<int>(inputs_.Encoder(tables, /*contexts_per_link=*/0)
                           .pair_features()
                           .names()
                           .size());
  SLICE_ASSIGN_OR_RETURN(torch::jit::Module network,
                         BuildNetwork(options, inputs_.options.seed));
  NetworkTrainingOptions training = StructuralTrainingOptions(inputs_);
  training.epochs = std::min(training.epochs, kEpochs);
  training.patience = training.epochs;
  training.positives_per_epoch =
      std::min(training.positives_per_epoch, kPositives);
  SLICE_ASSIGN_OR_RETURN(const TrainingSummary summary,
                         TrainStructural(inputs_, examples, tables, training,
                                         with_walks ? "with walk features"
                                                    : "without walk features",
                                         network));
  QuestionAurocs aurocs;
  for (size_t q = 0; q < aurocs.size(); ++q) {
    aurocs[q] =
        summary.valid_by_question[q][static_cast<size_t>(summary.best_epoch)];
  }
  return aurocs;
}

absl::StatusOr<Json> WalkStep::Run() const {
  SLICE_ASSIGN_OR_RETURN(const TrainingExamples examples,
                         StructuralExamples(inputs_));
  SLICE_ASSIGN_OR_RETURN(const QuestionAurocs without, Try(examples, false));
  SLICE_ASSIGN_OR_RETURN(const QuestionAurocs with, Try(examples, true));
  const WalkChoice choice =
      ChooseWalks(without, with, inputs_.training.valid().size());
  LogInfo("walk features: %s", choice.reason);
  return Json{{"used", choice.used}, {"reason", choice.reason}};
}

absl::StatusOr<WalkChoice> WalkStep::Load(const Json& record) const {
  WalkChoice choice;
  choice.used = record.at("used").get<bool>();
  choice.reason = record.at("reason").get<std::string>();
  return choice;
}

}  // namespace slice
