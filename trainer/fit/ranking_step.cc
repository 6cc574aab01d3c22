// In these steps:
//   1. questions about train links and about valid links are found, with the
//      candidates that the structural scorer ranks highest (hard_questions.h);
//   2. the structural scorer is trained on, by the listwise loss of the
//      questions and by examples like those of the step `structural`. The
//      examples keep it from forgetting the easy candidates. The epoch that
//      ranks valid's answers best is kept;
//   3. all candidates of valid's questions are ranked with and without the
//      network, each with the rule weights that suit it. The network is used if
//      it ranks clearly better.
#include "trainer/fit/ranking_step.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "model/torch/network.h"
#include "trainer/evaluation/rule_weights.h"
#include "trainer/fit/embedding_tensor.h"
#include "trainer/fit/evaluation_step.h"
#include "trainer/fit/frozen_model.h"
#include "trainer/fit/hard_questions.h"
#include "trainer/fit/training_record.h"
#include "trainer/learning/network_training.h"
#include "trainer/learning/ranking_lists.h"
#include "trainer/learning/training_links.h"

namespace slice {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kSalt = 3;
constexpr int kQuestionEpoch = 1000;  // draws other positives than the epochs
constexpr int kEpochs = 2;
// Increase this when the same network comes to be trained otherwise.
constexpr int kRankingVersion = 1;
constexpr size_t kValidQuestions = 1000;
// The gain needs more questions than the weights of rules.
constexpr size_t kRankingFactor = 6;
// A gain must be this many standard errors.
constexpr double kClear = 2;

std::vector<Link> ValidPositives(std::span<const LabelledLink> rows) {
  std::vector<Link> links;
  for (const LabelledLink& row : rows) {
    if (row.positive) links.push_back(row.link);
  }
  return links;
}

// What the network gains in MRR. The questions are the same with and without
// it, so that the error is that of the differences.
class RankingGain {
 public:
  RankingGain(std::span<const double> without, std::span<const double> with)
      : questions_(without.size()) {
    const auto count = static_cast<double>(questions_);
    for (size_t i = 0; i < questions_; ++i) {
      const double gain = with[i] - without[i];
      without_ += without[i] / count;
      mean_ += gain / count;
      squares_ += gain * gain / count;
    }
  }

  bool is_clear() const { return mean_ > 0 && mean_ > kClear * Error(); }
  std::string Describe() const {
    if (questions_ == 0) return "not used, as valid has no questions";
    return absl::StrFormat(
        "%s, as the MRR of %d questions about valid goes from %.3f to %.3f "
        "(%+.3f ± %.3f)",
        is_clear() ? "used" : "not used", questions_, without_,
        without_ + mean_, mean_, Error());
  }

 private:
  double Error() const {
    if (questions_ < 2) return 0;
    return std::sqrt((squares_ - mean_ * mean_) /
                     static_cast<double>(questions_ - 1));
  }

  size_t questions_;
  double without_ = 0, mean_ = 0, squares_ = 0;
};

ListOptions ValidListsFor(const FitOptions& options,
                          std::span<const HardQuestion> questions) {
  constexpr size_t kMostLength = 51;
  ListOptions list;
  list.length = ListLengthFor(questions, kMostLength);
  list.seed = options.seed;
  list.held_out = true;
  list.threads = options.WorkerThreads();
  return list;
}

NetworkTrainingOptions TrainingOptionsFor(
    const LearningInputs& inputs, std::span<const HardQuestion> questions) {
  const FitOptions& options = inputs.options;
  NetworkTrainingOptions training;
  training.epochs = kEpochs;
  training.patience = kEpochs;
  training.replicas = options.WorkerThreads();
  training.batch_size = options.batch_size;
  training.learning_rate = options.structural_learning_rate / 2;
  training.positives_per_epoch = options.structural_positives / 4;
  training.threads = options.WorkerThreads();
  training.lists_per_epoch = questions.size();
  training.list_length = ListLengthFor(questions, training.list_length);
  training.seed = options.seed;
  return training;
}

}  // namespace

std::filesystem::path RankingStep::NetworkFile() const {
  return model_.inputs.options.WorkFile("ranking.pt");
}

absl::StatusOr<StepFingerprint> RankingStep::Fingerprint() const {
  const FitOptions& options = model_.inputs.options;
  return MakeStepFingerprint(
      kName, {{"the step fine-tune", model_.fine_tuned.fingerprint},
              {"the version of the step", kRankingVersion},
              {"--hard-questions", options.hard_questions}});
}

absl::Status RankingStep::Train(Json& record) const {
  const LearningInputs& inputs = model_.inputs;
  const StructuralScorer& structural = model_.structural;
  const FitOptions& options = inputs.options;
  SLICE_ASSIGN_OR_RETURN(const TrainingExamples examples,
                         inputs.Examples({AllLinks(inputs.graph()), kSalt}));
  const RankedBy scorer{structural.tables, structural.network_file};
  HardQuestionSearch search;
  search.most_questions = options.hard_questions;
  SLICE_ASSIGN_OR_RETURN(
      const std::vector<HardQuestion> questions,
      FindHardQuestions(
          inputs, scorer, examples,
          examples.EpochPositives(kQuestionEpoch, options.hard_questions),
          search));
  const std::span<const LabelledLink> valid_rows = inputs.training.valid();
  search.held_out = true;
  search.most_questions = kValidQuestions;
  search.known = KnownLinks(std::vector{valid_rows});
  SLICE_ASSIGN_OR_RETURN(const std::vector<HardQuestion> valid_questions,
                         FindHardQuestions(inputs, scorer, examples,
                                           ValidPositives(valid_rows), search));
  SLICE_ASSIGN_OR_RETURN(torch::jit::Module network,
                         LoadNetwork(structural.network_file));
  const LinkEncoder encoder =
      inputs.Encoder(structural.tables, /*contexts_per_link=*/0);
  const ExampleChunk valid = inputs.EncodeValid(encoder, examples);
  const ListChunk valid_lists =
      EncodeLists(examples, encoder, valid_questions,
                  ValidListsFor(options, valid_questions));
  const TrainingData data{&examples, &encoder,
                          &valid,    &valid_lists,
                          questions, EmbeddingTensor(inputs.embeddings)};
  SLICE_ASSIGN_OR_RETURN(
      const auto summaries,
      TrainNetworks({&network, 1}, TrainingScope::kStructural, data,
                    TrainingOptionsFor(inputs, questions), "learning to rank"));
  SLICE_RETURN_IF_ERROR(SaveNetwork(network, NetworkFile()));
  record = TrainingRecord(summaries[0]);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<double>> RankingStep::RanksOnValid(
    const std::filesystem::path& file) const {
  SLICE_ASSIGN_OR_RETURN(
      const FrozenModel frozen,
      FrozenModel::Load(model_, model_.fine_tuned.network_file, file));
  ModelEvaluation evaluation = frozen.Evaluation();
  evaluation.limits = EvaluationLimitsOf(model_.inputs.options,
                                         model_.inputs.graph().link_count());
  evaluation.limits.ranking_scores *= kRankingFactor;
  SLICE_ASSIGN_OR_RETURN(RuleWeightChoice choice,
                         ChooseRuleWeights(evaluation));
  return std::move(choice.ranks);
}

absl::StatusOr<Json> RankingStep::Run() const {
  Json record;
  SLICE_RETURN_IF_ERROR(Train(record));
  SLICE_ASSIGN_OR_RETURN(const std::vector<double> without, RanksOnValid({}));
  SLICE_ASSIGN_OR_RETURN(const std::vector<double> with,
                         RanksOnValid(NetworkFile()));
  const RankingGain gain(without, with);
  LogInfo("ranking network: %s", gain.Describe());
  record["used"] = gain.is_clear();
  record["reason"] = gain.Describe();
  return record;
}

absl::StatusOr<RankingNetwork> RankingStep::Load(const Json& record) const {
  RankingNetwork ranking;
  ranking.reason = record.at("reason").get<std::string>();
  if (record.at("used").get<bool>()) ranking.network_file = NetworkFile();
  return ranking;
}

}  // namespace slice
