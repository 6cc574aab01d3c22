#include "model/batch_scorer.h"

namespace slice {

absl::StatusOr<std::vector<StructuralLogits>> BatchScorer::ScoreStructural(
    RelationId, std::span<const float>, size_t) const {
  return absl::UnimplementedError("this scorer has no structural part");
}

}  // namespace slice
