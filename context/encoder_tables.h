// What an encoder reads beside the graph: statistics of the training graph.
#ifndef SLICE_CONTEXT_ENCODER_TABLES_H_
#define SLICE_CONTEXT_ENCODER_TABLES_H_

#include <optional>

#include "absl/status/statusor.h"
#include "context/feature_scaling.h"
#include "context/pair_features.h"
#include "context/slot_compatibility.h"
#include "context/slot_profile.h"
#include "context/spectral_vectors.h"
#include "graphstore/graph_statistics.h"

namespace slice {

// Constant once made; thread-safe. What is absent makes its features 0.
struct EncoderTables {
  std::optional<FeatureScaling> scaling;
  std::optional<SlotCompatibility> slots;
  std::optional<SlotProfile> profile;
  std::optional<SpectralVectors> spectral;  // views into the statistics
  std::optional<PathRules> rules;

  // All that `statistics` has, which must outlive the tables. DATA_LOSS when an
  // array has not the shape that the counts say.
  static absl::StatusOr<EncoderTables> FromStatistics(
      const GraphStatistics& statistics, size_t relation_count,
      size_t node_count, size_t feature_count);

  // What pair features read of them.
  PairFeatureTables ForPairs() const;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_ENCODER_TABLES_H_
