// In these steps:
//   1. questions about train links and about valid links are found, with the
//      candidates that the structural scorer ranks highest (hard_questions.h);
//   2. the structural scorer is trained on, by the listwise loss of the
//      questions and by examples like those of the step `structural`. Without
//      them it would forget the candidates that are easily told apart. The
//      epoch that ranks valid's answers best is kept;
//   3. the network is used if it ranks them clearly better than before.
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
#include "trainer/fit/embedding_tensor.h"
#include "trainer/fit/hard_questions.h"
#include "trainer/fit/training_record.h"
#include "trainer/learning/network_training.h"
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
// A gain must be this many standard errors.
constexpr double kClear = 2;

std::vector<Link> ValidPositives(std::span<const LabelledLink> rows) {
  std::vector<Link> links;
  for (const LabelledLink& row : rows) {
    if (row.positive) links.push_back(row.link);
  }
  return links;
}

// What training gains on the lists about valid, in MRR. The lists are the same
// before and after, so that the error is that of the differences.
class RankingGain {
 public:
  explicit RankingGain(const TrainingSummary& summary)
      : lists_(summary.ranks_after.size()) {
    for (size_t i = 0; i < lists_; ++i) {
      const double gain = summary.ranks_after[i] - summary.ranks_before[i];
      before_ += summary.ranks_before[i] / double(lists_);
      mean_ += gain / double(lists_);
      squares_ += gain * gain / double(lists_);
    }
  }

  bool is_clear() const { return mean_ > 0 && mean_ > kClear * Error(); }
  std::string Describe() const {
    if (lists_ == 0) return "not used, as valid has no hard lists";
    return absl::StrFormat(
        "%s, as the MRR of %d hard lists of valid goes from %.3f to %.3f "
        "(%+.3f ± %.3f)",
        is_clear() ? "used" : "not used", lists_, before_, before_ + mean_,
        mean_, Error());
  }

 private:
  double Error() const {
    return lists_ < 2
               ? 0
               : std::sqrt((squares_ - mean_ * mean_) / double(lists_ - 1));
  }

  size_t lists_;
  double before_ = 0, mean_ = 0, squares_ = 0;
};

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
  return inputs_.options.WorkFile("ranking.pt");
}

absl::StatusOr<StepFingerprint> RankingStep::Fingerprint() const {
  const FitOptions& options = inputs_.options;
  return MakeStepFingerprint(kName,
                             {{"the step structural", structural_.fingerprint},
                              {"the version of the step", kRankingVersion},
                              {"--hard-questions", options.hard_questions}});
}

absl::StatusOr<Json> RankingStep::Run() const {
  const FitOptions& options = inputs_.options;
  SLICE_ASSIGN_OR_RETURN(const TrainingExamples examples,
                         inputs_.Examples({AllLinks(inputs_.graph()), kSalt}));
  const RankedBy scorer{structural_.tables, structural_.network_file};
  HardQuestionSearch search;
  search.most_questions = options.hard_questions;
  SLICE_ASSIGN_OR_RETURN(
      const std::vector<HardQuestion> questions,
      FindHardQuestions(
          inputs_, scorer, examples,
          examples.EpochPositives(kQuestionEpoch, options.hard_questions),
          search));
  const std::span<const LabelledLink> valid_rows = inputs_.training.valid();
  search.held_out = true;
  search.most_questions = kValidQuestions;
  search.known = KnownLinks(std::vector{valid_rows});
  SLICE_ASSIGN_OR_RETURN(const std::vector<HardQuestion> valid_questions,
                         FindHardQuestions(inputs_, scorer, examples,
                                           ValidPositives(valid_rows), search));
  SLICE_ASSIGN_OR_RETURN(torch::jit::Module network,
                         LoadNetwork(structural_.network_file));
  const LinkEncoder encoder =
      inputs_.Encoder(structural_.tables, /*contexts_per_link=*/0);
  const ExampleChunk valid = inputs_.EncodeValid(encoder, examples);
  const ListChunk valid_lists =
      inputs_.EncodeValidLists(encoder, examples, valid_questions);
  const TrainingData data{&examples, &encoder,
                          &valid,    &valid_lists,
                          questions, EmbeddingTensor(inputs_.embeddings)};
  SLICE_ASSIGN_OR_RETURN(
      const auto summaries,
      TrainNetworks({&network, 1}, TrainingScope::kStructural, data,
                    TrainingOptionsFor(inputs_, questions),
                    "learning to rank"));
  SLICE_RETURN_IF_ERROR(SaveNetwork(network, NetworkFile()));
  const RankingGain gain(summaries[0]);
  LogInfo("ranking network: %s", gain.Describe());
  Json record = TrainingRecord(summaries[0]);
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
