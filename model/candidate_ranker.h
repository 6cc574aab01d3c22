// Ranks the nodes that could answer (u, r, ?) or (?, r, v): the structural
// scorer orders all candidates by one propagation, a scorer with contexts looks
// at the first of these again (model.md 6).
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
#include "model/link_predictor.h"

namespace slice {

// Parallel to the candidates of a question. Scores are
//   logit + weights.rules * RuleScore(candidate, weights.constants),
// the logit that of Question::kAmongKind, which knows of no direction, the
// score that of CandidateFeatures.
struct CandidateScores {
  std::vector<float> rule_terms;  // what is added to a logit of any scorer
  std::vector<float> scores;      // of the structural scorer
};

// Those of the candidates that were looked at again.
struct FirstCandidates {
  std::vector<size_t> positions;
  std::vector<Prediction> predictions;
};

// Scores by `scorer`, of which only the order means anything: the first are
// above the rest, which keep the structural ones.
std::vector<float> MergeScores(const CandidateScores& candidates,
                               const FirstCandidates& first, Scorer scorer);

// The positions of the `count` candidates with the greatest scores, ties by
// node.
std::vector<size_t> FirstPositions(std::span<const NodeId> candidates,
                                   const CandidateScores& scores, size_t count);

// Asked between pieces of work: anything but OK ends it, and is its status.
using WorkCheck = std::function<absl::Status()>;

// Thread-compatible; without shared EndFeatureCache questions in the order of
// their relations are the cheapest.
class CandidateRanker {
 public:
  // All must outlive it and be of one bundle, the weights being those of its
  // OutputReading. A question is worked on by so many threads.
  CandidateRanker(const PropagationGraph& graph, const LinkEncoder& encoder,
                  const BatchScorer& scorer,
                  const std::array<RuleWeights, 2>& weights, int threads = 1,
                  EndFeatureCache* ends = nullptr);

  // question.With(v) for every v of `candidates` by the structural scorer,
  // piece by piece; `check` is asked by the caller's thread. Errors of
  // BatchScorer::ScoreStructural and of `check`.
  absl::StatusOr<CandidateScores> ScoreAll(const EndQuestion& question,
                                           std::span<const NodeId> candidates,
                                           const WorkCheck& check = nullptr);

  // Of the last ScoreAll, RuleScore() of its candidates by another weight.
  float RuleScore(NodeId node, double constant_weight) {
    if (constant_weight > 0) features_.AddConstants();
    return features_.RuleScore(node, constant_weight);
  }

  // The path sums of the last ScoreAll.
  const PathSumPropagation& paths() const { return features_.paths(); }

  // Predicts the links of some nodes by all scorers; `question` must be that of
  // the last ScoreAll. Errors of BatchScorer::Predict.
  absl::StatusOr<std::vector<Prediction>> PredictNodes(
      const EndQuestion& question, std::span<const NodeId> nodes);

  // The same for FirstPositions().
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
