#include "trainer/fit/hard_questions.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "common/status_macros.h"
#include "context/end_feature_cache.h"
#include "context/slot_candidates.h"
#include "model/candidate_ranker.h"
#include "model/frozen_network.h"
#include "trainer/evaluation/question_threads.h"

namespace slice {

absl::StatusOr<std::vector<HardQuestion>> FindHardQuestions(
    const LearningInputs& inputs, const StructuralScorer& structural,
    std::vector<Link> positives, size_t most_rivals) {
  const GraphSnapshot& graph = inputs.graph();
  FrozenNetworkOptions frozen;
  frozen.embeddings = {inputs.embeddings.values.data(),
                       static_cast<int64_t>(graph.node_count()),
                       inputs.embeddings.dim};
  SLICE_ASSIGN_OR_RETURN(const auto network,
                         FrozenNetwork::Load(structural.network_file, frozen));
  const LinkEncoder encoder =
      inputs.Encoder(structural.tables, /*contexts_per_link=*/0);
  const PropagationGraph propagation(graph);
  EndFeatureCache ends(graph, encoder, 0);
  std::vector<std::unique_ptr<CandidateRanker>> rankers;  // by thread
  for (int i = 0; i < inputs.options.WorkerThreads(); ++i) {
    rankers.push_back(std::make_unique<CandidateRanker>(
        propagation, encoder, *network, CandidateRankerOptions{.ends = &ends}));
  }
  std::vector<HardQuestion> questions;
  std::vector<EndQuestion> end_questions;
  for (size_t i = 0; i < positives.size(); ++i) {
    questions.push_back(
        {positives[i], i % 2 == 0 ? Direction::kOut : Direction::kIn, {}});
    end_questions.push_back(questions.back().question());
  }
  SLICE_RETURN_IF_ERROR(AskOnThreads(
      graph, ends, end_questions, static_cast<int>(rankers.size()),
      "hard candidates",
      [&](size_t i, std::span<const NodeId> fitting,
          int worker) -> absl::Status {
        std::vector<NodeId> candidates(fitting.begin(), fitting.end());
        EraseLinked(graph, end_questions[i], candidates);
        SLICE_ASSIGN_OR_RETURN(const CandidateScores scores,
                               rankers[static_cast<size_t>(worker)]->ScoreAll(
                                   end_questions[i], candidates));
        for (const size_t place :
             FirstPositions(candidates, scores, most_rivals)) {
          questions[i].rivals.push_back(candidates[place]);
        }
        return absl::OkStatus();
      }));
  return questions;
}

}  // namespace slice
