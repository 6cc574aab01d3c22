#include "model/batch_scorer.h"

#include "common/status_macros.h"

namespace slice {

absl::StatusOr<std::vector<StructuralLogits>> BatchScorer::ScoreStructural(
    RelationId, std::span<const float>, size_t) const {
  return absl::UnimplementedError("this scorer has no structural part");
}

absl::StatusOr<std::vector<float>> BatchScorer::ScoreForRanking(
    RelationId relation, std::span<const float> pair_features,
    size_t feature_count) const {
  SLICE_ASSIGN_OR_RETURN(
      const std::vector<StructuralLogits> logits,
      ScoreStructural(relation, pair_features, feature_count));
  std::vector<float> scores;
  scores.reserve(logits.size());
  for (const StructuralLogits& of_link : logits) {
    scores.push_back(of_link[static_cast<size_t>(Question::kAmongKind)]);
  }
  return scores;
}

}  // namespace slice
