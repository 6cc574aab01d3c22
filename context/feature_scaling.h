// Scales raw pair features to what the network reads.
#ifndef SLICE_CONTEXT_FEATURE_SCALING_H_
#define SLICE_CONTEXT_FEATURE_SCALING_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_statistics.h"

namespace slice {

// Scales a raw value x in two steps (docs/model.md, "Structural features"):
//   z = sign(x) log1p(|x| / c)
//   scaled = (z - mean) / deviation, clipped to [-6, 6]
// Each feature has its own c, mean and deviation, fitted on the training
// sample: c is the 5 % quantile of the non-zero |x|; mean and deviation are
// those of z. Immutable; thread-safe.
class FeatureScaling {
 public:
  // Fits to raw values, [rows, features]. A feature that is constant there is
  // fitted to `rare` rows as well; one that is constant there, too, scales to
  // 0.
  static FeatureScaling Fit(std::span<const float> rows, size_t feature_count,
                            std::span<const float> rare = {});

  // Reads what a bundle stores under "pair_features.scaling", [3, features].
  // NOT_FOUND when it is absent, DATA_LOSS when its shape or a value is wrong.
  static absl::StatusOr<FeatureScaling> FromStatistics(
      const GraphStatistics& statistics, size_t feature_count);
  void AddTo(GraphStatistics& statistics) const;

  // Scales in place a row, or the part of a row that begins at feature `first`.
  void Apply(std::span<float> row, size_t first = 0) const;

 private:
  std::vector<float> unit_, mean_, inverse_deviation_;  // [features] each
};

}  // namespace slice

#endif  // SLICE_CONTEXT_FEATURE_SCALING_H_
