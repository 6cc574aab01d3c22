// Orders all nodes as answers to one question: the structural scorer ranks all,
// the bundle's own scorer those that come first (model.md 6).
#ifndef SLICE_MODEL_CANDIDATE_RANKER_H_
#define SLICE_MODEL_CANDIDATE_RANKER_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/candidate_features.h"
#include "context/end_question.h"
#include "context/link_encoder.h"
#include "context/path_sum_propagation.h"
#include "model/link_predictor.h"

namespace slice {

// Those of a list of candidates that were looked at again.
struct FirstCandidates {
  std::vector<size_t> positions;  // in the list
  std::vector<Prediction> predictions;
};

// Scores of `candidates`, parallel, of which only the order means anything: the
// first by their logits of `scorer`, above the rest by logits[candidate].
std::vector<float> MergeScores(std::span<const float> logits,
                               std::span<const NodeId> candidates,
                               const FirstCandidates& first, Scorer scorer);

// Logits are those of the question "the right one among its kind".
// Thread-compatible; questions in the order of their relations are the
// cheapest.
class CandidateRanker {
 public:
  // All must outlive it and be of one bundle.
  CandidateRanker(const PropagationGraph& graph, const LinkEncoder& encoder,
                  const BatchScorer& scorer);

  // The structural logit of question.With(v) for every node v, at [v]. Errors
  // of BatchScorer::ScoreStructural.
  absl::StatusOr<std::vector<float>> ScoreAll(const EndQuestion& question);

  // Predicts the `count` candidates with the greatest logits[candidate], ties
  // by node; `logits` are of ScoreAll. Errors of BatchScorer::Predict.
  absl::StatusOr<FirstCandidates> PredictFirst(
      const EndQuestion& question, std::span<const float> logits,
      std::span<const NodeId> candidates, size_t count) const;

 private:
  const GraphSnapshot* snapshot_;
  const LinkEncoder* encoder_;
  const BatchScorer* scorer_;
  CandidateFeatures features_;
};

}  // namespace slice

#endif  // SLICE_MODEL_CANDIDATE_RANKER_H_
