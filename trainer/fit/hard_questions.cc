#include "trainer/fit/hard_questions.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "common/random.h"
#include "common/status_macros.h"
#include "context/end_feature_cache.h"
#include "context/slot_candidates.h"
#include "model/candidate_ranker.h"
#include "model/frozen_network.h"
#include "trainer/evaluation/question_threads.h"
#include "trainer/evaluation/ranking_questions.h"

namespace slice {
namespace {

// An answer must reach the lowest of this many of its last rivals. A few, since
// rivals are ranked by sums over all paths, and scored here by samples.
constexpr size_t kLastRivals = 8;
constexpr size_t kFewestQuestions = 200;

size_t AffordableCount(const GraphSnapshot& graph, size_t most) {
  const size_t nodes = std::max<size_t>(1, graph.node_count());
  return std::min(most, std::max(kFewestQuestions,
                                 HardQuestionSearch::kMostScores / nodes));
}

// One search; a thread has a ranker of its own.
class Finder {
 public:
  Finder(const LearningInputs& inputs, const LinkEncoder& encoder,
         const BatchScorer& scorer, const TrainingExamples& examples,
         const HardQuestionSearch& search)
      : graph_(inputs.graph()),
        encoder_(encoder),
        scorer_(scorer),
        examples_(examples),
        search_(search),
        propagation_(graph_),
        ends_(graph_, encoder, 0) {
    for (int i = 0; i < inputs.options.WorkerThreads(); ++i) {
      rankers_.push_back(std::make_unique<CandidateRanker>(
          propagation_, encoder, scorer,
          CandidateRankerOptions{.ends = &ends_}));
    }
  }

  // Sets the rivals of all `questions`.
  absl::Status FindRivals(std::vector<HardQuestion>& questions) {
    std::vector<EndQuestion> end_questions;
    for (const HardQuestion& question : questions) {
      end_questions.push_back(question.question());
    }
    return AskOnThreads(
        graph_, ends_, end_questions, static_cast<int>(rankers_.size()),
        "hard candidates",
        [&](std::span<const size_t> same, std::span<const NodeId> fitting,
            int worker) {
          return FindRivals(same, fitting,
                            *rankers_[static_cast<size_t>(worker)], questions);
        });
  }

  // Whether the answer scores no lower than all of its last hard rivals.
  absl::StatusOr<bool> ReachesRivals(const HardQuestion& question) const {
    HardQuestion last = question;
    last.rivals.resize(std::min(last.rivals.size(), search_.rivals));
    if (last.rivals.size() > kLastRivals) {
      last.rivals.erase(last.rivals.begin(), last.rivals.end() - kLastRivals);
    }
    ListOptions options;
    options.length = last.rivals.size() + 1;
    options.held_out = search_.held_out;
    const ListChunk list =
        EncodeLists(examples_, encoder_, {&last, 1}, options);
    const size_t width = encoder_.pair_features().names().size();
    std::vector<float> features;
    for (const EncodedLink& link : list.links) {
      features.insert(features.end(), link.pair_features.begin(),
                      link.pair_features.end());
    }
    SLICE_ASSIGN_OR_RETURN(
        const std::vector<StructuralLogits> logits,
        scorer_.ScoreStructural(question.link.relation, features, width));
    constexpr auto kAmongKind = static_cast<size_t>(Question::kAmongKind);
    return std::any_of(logits.begin() + 1, logits.end(),
                       [&](const StructuralLogits& rival) {
                         return rival[kAmongKind] <= logits[0][kAmongKind];
                       });
  }

 private:
  // Sets the rivals of the `questions` at the positions `same`, which are equal
  // but for their answers.
  absl::Status FindRivals(std::span<const size_t> same,
                          std::span<const NodeId> fitting,
                          CandidateRanker& ranker,
                          std::vector<HardQuestion>& questions) const {
    const EndQuestion asked = questions[same.front()].question();
    std::vector<NodeId> candidates(fitting.begin(), fitting.end());
    EraseLinked(graph_, asked, candidates);
    std::erase_if(candidates, [&](NodeId node) {
      const Link link = asked.With(node);
      return search_.known.Contains(link) ||
             std::ranges::any_of(
                 same, [&](size_t i) { return questions[i].link == link; });
    });
    SLICE_ASSIGN_OR_RETURN(const CandidateScores scores,
                           ranker.ScoreAll(asked, candidates));
    const std::vector<size_t> hard =
        FirstPositions(candidates, scores, search_.rivals);
    for (const size_t i : same) SetRivals(candidates, hard, questions[i]);
    return absl::OkStatus();
  }

  // The rivals are the candidates at the places `hard`, and others drawn at
  // random.
  void SetRivals(std::span<const NodeId> candidates,
                 std::span<const size_t> hard, HardQuestion& question) const {
    std::vector<bool> taken(candidates.size());
    for (const size_t place : hard) {
      question.rivals.push_back(candidates[place]);
      taken[place] = true;
    }
    Random random(SampleHash(question.link));
    for (size_t i = 0; i < search_.others && !candidates.empty(); ++i) {
      const size_t place =
          random.Below(static_cast<uint32_t>(candidates.size()));
      if (taken[place]) continue;
      question.rivals.push_back(candidates[place]);
      taken[place] = true;
    }
  }

  const GraphSnapshot& graph_;
  const LinkEncoder& encoder_;
  const BatchScorer& scorer_;
  const TrainingExamples& examples_;
  const HardQuestionSearch& search_;
  const PropagationGraph propagation_;
  EndFeatureCache ends_;
  std::vector<std::unique_ptr<CandidateRanker>> rankers_;  // by thread
};

}  // namespace

absl::StatusOr<std::vector<HardQuestion>> FindHardQuestions(
    const LearningInputs& inputs, const RankedBy& scorer,
    const TrainingExamples& examples, std::vector<Link> positives,
    const HardQuestionSearch& search) {
  const GraphSnapshot& graph = inputs.graph();
  FrozenNetworkOptions frozen;
  frozen.embeddings = {inputs.embeddings.values.data(),
                       static_cast<int64_t>(graph.node_count()),
                       inputs.embeddings.dim};
  SLICE_ASSIGN_OR_RETURN(const auto network,
                         FrozenNetwork::Load(scorer.network_file, frozen));
  const LinkEncoder encoder =
      inputs.Encoder(scorer.tables, /*contexts_per_link=*/0);
  positives.resize(std::min(positives.size(),
                            AffordableCount(graph, search.most_questions)));
  std::vector<HardQuestion> questions;
  for (size_t i = 0; i < positives.size(); ++i) {
    questions.push_back(
        {positives[i], i % 2 == 0 ? Direction::kOut : Direction::kIn, {}});
  }
  Finder finder(inputs, encoder, *network, examples, search);
  SLICE_RETURN_IF_ERROR(finder.FindRivals(questions));
  std::vector<HardQuestion> kept;
  for (HardQuestion& question : questions) {
    if (question.rivals.empty()) continue;
    SLICE_ASSIGN_OR_RETURN(const bool reaches, finder.ReachesRivals(question));
    if (reaches) kept.push_back(std::move(question));
  }
  return kept;
}

}  // namespace slice
