// Ranks the nodes that could answer (u, r, ?) or (?, r, v). The structural
// scorer orders all candidates, with features from one propagation through the
// graph; then the network scores the first of them again with their contexts
// (docs/model.md, "Recommending").
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

// The scores of all candidates of a question, in their order. A score is
//   logit + weights.rules * RuleScore(candidate, weights.constants)
// with the structural logit of Question::kAmongKind and the RuleScore of
// CandidateFeatures.
struct CandidateScores {
  std::vector<float> rule_terms;  // the second summand
  std::vector<float> scores;
};

// The candidates that the network scored, with their positions among all.
struct FirstCandidates {
  std::vector<size_t> positions;
  std::vector<Prediction> predictions;
};

// One score per candidate; only their order means anything. The first
// candidates come above the rest, ordered by the logits of `scorer` plus their
// rule terms. The rest keep their structural scores.
std::vector<float> MergeScores(const CandidateScores& candidates,
                               const FirstCandidates& first, Scorer scorer);

// The positions of the `count` candidates with the greatest scores, greatest
// first; equal scores are ordered by node.
std::vector<size_t> FirstPositions(std::span<const NodeId> candidates,
                                   const CandidateScores& scores, size_t count);

// Called between pieces of work. If it does not return OK the work ends with
// that status.
using WorkCheck = std::function<absl::Status()>;

struct CandidateRankerOptions {
  // OutputReading::rule_weights, by direction of the question.
  std::array<RuleWeights, 2> weights = {};
  int threads = 1;  // that work on a question
  // A cache that rankers share; null: each ranker has its own.
  EndFeatureCache* ends = nullptr;
};

// Thread-compatible. Without a shared EndFeatureCache it is cheapest to ask
// questions in the order of their relations.
class CandidateRanker {
 public:
  // All arguments must belong to one bundle and outlive the ranker, except
  // `options` itself.
  CandidateRanker(const PropagationGraph& graph, const LinkEncoder& encoder,
                  const BatchScorer& scorer,
                  const CandidateRankerOptions& options);

  // Scores question.With(v) for every v of `candidates` by the structural
  // scorer, piece by piece. The caller's thread calls `check`. Returns the
  // errors of BatchScorer::ScoreStructural and of `check`.
  absl::StatusOr<CandidateScores> ScoreAll(const EndQuestion& question,
                                           std::span<const NodeId> candidates,
                                           const WorkCheck& check = nullptr);

  // CandidateFeatures::RuleScore of a candidate of the last ScoreAll.
  float RuleScore(NodeId node, double constant_weight) {
    if (constant_weight > 0) features_.AddConstants();
    return features_.RuleScore(node, constant_weight);
  }

  // The path sums of the last ScoreAll.
  const PathSumPropagation& paths() const { return features_.paths(); }

  // Predicts question.With(v) for every v of `nodes` by all scorers. REQUIRES:
  // `question` is the one of the last ScoreAll. Returns the errors of
  // BatchScorer::Predict.
  absl::StatusOr<std::vector<Prediction>> PredictNodes(
      const EndQuestion& question, std::span<const NodeId> nodes);

  // PredictNodes for the candidates at FirstPositions().
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
};

}  // namespace slice

#endif  // SLICE_MODEL_CANDIDATE_RANKER_H_
