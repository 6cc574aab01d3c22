// Ranks the nodes that could be the missing end of (u, r, ?) or (?, r, v).
// First BatchScorer::ScoreForRanking orders all candidates; their pair features
// come from one walk through the graph, which starts at the known end and sums
// the paths to every node (context/path_sum_propagation.h). Then the network
// scores the best candidates again, with their contexts (docs/model.md,
// "Recommending").
#ifndef SLICE_MODEL_CANDIDATE_RANKER_H_
#define SLICE_MODEL_CANDIDATE_RANKER_H_

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "context/candidate_features.h"
#include "context/end_question.h"
#include "context/link_encoder.h"
#include "context/path_sum_propagation.h"
#include "model/batch_scorer.h"

namespace slice {

// The scores of all candidates of a question, in the order of the candidates.
//   score = s + k + weights.rules * RuleScore(candidate, weights.constants)
//   s            BatchScorer::ScoreForRanking
//   k            RankingTermOfEach of the knowledge graph embedding
//   weights      the RuleWeights of the question's direction
//   RuleScore    the method of CandidateFeatures
struct CandidateScores {
  std::vector<float> scores;
};

// The candidates that the network scored.
struct FirstCandidates {
  std::vector<size_t> positions;        // among all candidates
  std::vector<Prediction> predictions;  // in the order of `positions`
};

// What `scorer` adds to the score of a candidate when it ranks again: by how
// much its logit of Question::kAmongKind differs from the structural one.
inline float RerankTerm(const Prediction& prediction, Scorer scorer) {
  return prediction.Logit(scorer, Question::kAmongKind) -
         prediction.Logit(Scorer::kStructural, Question::kAmongKind);
}

// Merges the scores of both steps into one score per candidate; only the order
// of the merged scores means anything. The candidates in `first` come above all
// others, and their scores get what RerankTerm says. The other candidates keep
// the scores in `candidates`. If `scorer` is kStructural, all candidates keep
// them.
std::vector<float> MergeScores(const CandidateScores& candidates,
                               const FirstCandidates& first, Scorer scorer);

// The positions of the `count` candidates with the greatest scores, greatest
// first; equal scores are ordered by node id.
std::vector<size_t> FirstPositions(std::span<const NodeId> candidates,
                                   const CandidateScores& scores, size_t count);

// A function that is called between pieces of work. If it returns an error, the
// work ends with this error.
using WorkCheck = std::function<absl::Status()>;

struct CandidateRankerOptions {
  // OutputReading::rule_weights, indexed by the direction of a question.
  std::array<RuleWeights, 2> weights = {};
  int threads = 1;  // threads that work on one question
  // A cache that several rankers share. If null, the ranker has its own.
  EndFeatureCache* ends = nullptr;
};

// Answers one question at a time. Thread-compatible. Without a shared
// EndFeatureCache it is cheapest to ask the questions of one relation in a row.
class CandidateRanker {
 public:
  // All arguments must belong to one bundle and outlive the ranker, except
  // `options` itself.
  CandidateRanker(const PropagationGraph& graph, const LinkEncoder& encoder,
                  const BatchScorer& scorer,
                  const CandidateRankerOptions& options);

  // Gives the link question.With(v) of every candidate v the score that orders
  // candidates (docs/model.md, "Recommending"): BatchScorer::ScoreForRanking
  // plus the terms of the knowledge graph embedding and of rules. `check` is
  // called on the caller's thread only. Returns the errors of ScoreForRanking
  // and of `check`.
  absl::StatusOr<CandidateScores> ScoreAll(const EndQuestion& question,
                                           std::span<const NodeId> candidates,
                                           const WorkCheck& check = nullptr);

  // CandidateFeatures::RuleScore of `node` for the question of the last
  // ScoreAll.
  float RuleScore(NodeId node, double constant_weight) {
    if (constant_weight > 0) features_.AddConstants();
    return features_.RuleScore(node, constant_weight);
  }

  // The path sums for the question of the last ScoreAll.
  const PathSumPropagation& paths() const { return features_.paths(); }

  // Predicts the link question.With(v) of every v of `nodes`, by all scorers.
  // REQUIRES: `question` is the question of the last ScoreAll. Returns the
  // errors of BatchScorer::Predict.
  absl::StatusOr<std::vector<Prediction>> PredictNodes(
      const EndQuestion& question, std::span<const NodeId> nodes);

  // PredictNodes for the candidates at FirstPositions(candidates, scores,
  // count).
  absl::StatusOr<FirstCandidates> PredictFirst(
      const EndQuestion& question, std::span<const NodeId> candidates,
      const CandidateScores& scores, size_t count);

 private:
  const RuleWeights& WeightsOf(const EndQuestion& question) const {
    return weights_[static_cast<size_t>(question.direction)];
  }
  absl::Status ScorePiece(const EndQuestion& question,
                          std::span<const NodeId> candidates, size_t begin,
                          size_t end, CandidateScores& scores) const;
  absl::Status PredictBatch(std::span<const EncodedLink> encoded,
                            std::span<const size_t> positions,
                            std::vector<Prediction>& predictions) const;

  const GraphSnapshot* snapshot_;
  const LinkEncoder* encoder_;
  const BatchScorer* scorer_;
  std::array<RuleWeights, 2> weights_;  // by direction
  int threads_;
  CandidateFeatures features_;
  std::vector<float> point_;  // KnowledgeVectors::Prepare, of the question
};

}  // namespace slice

#endif  // SLICE_MODEL_CANDIDATE_RANKER_H_
