// In these steps:
//   1. questions about train links and about valid links are found, with the
//      candidates that the structural scorer ranks highest (hard_questions.h);
//   2. the structural scorer is trained on, by the listwise loss of the
//      questions and by examples like those of the step `structural`. The
//      examples keep it from forgetting the easy candidates. The epoch that
//      ranks valid's answers best is kept.
// The step `fuse` decides whether the network is used.
#include "trainer/fit/ranking_step.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "common/status_macros.h"
#include "model/torch/network.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/fit/embedding_tensor.h"
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
constexpr int kRankingVersion = 3;
constexpr size_t kValidQuestions = 1000;
constexpr size_t kListLength = 49;  // in training

// A sample of the positives, in the order of their hashes.
std::vector<Link> SomePositives(std::span<const LabelledLink> rows) {
  std::vector<Link> links;
  for (const LabelledLink& row : rows) {
    if (row.positive) links.push_back(row.link);
  }
  std::ranges::sort(links, {}, SampleHash);
  return links;
}

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
  training.list_length = ListLengthFor(questions, kListLength);
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

absl::StatusOr<Json> RankingStep::Run() const {
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
                                           SomePositives(valid_rows), search));
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
  return TrainingRecord(summaries[0]);
}

absl::StatusOr<RankingNetwork> RankingStep::Load(const Json&) const {
  return RankingNetwork{NetworkFile(), /*fingerprint=*/""};
}

}  // namespace slice
