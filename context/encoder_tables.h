// The tables that a link encoder reads: statistics of the training graph.
#ifndef SLICE_CONTEXT_ENCODER_TABLES_H_
#define SLICE_CONTEXT_ENCODER_TABLES_H_

#include <optional>

#include "absl/status/statusor.h"
#include "context/feature_scaling.h"
#include "context/knowledge_vectors.h"
#include "context/pair_features.h"
#include "context/slot_compatibility.h"
#include "context/slot_profile.h"
#include "context/spectral_vectors.h"
#include "context/walk_vectors.h"
#include "graphstore/graph_statistics.h"

namespace slice {

// Immutable once made; thread-safe. Without `scaling`, pair features stay
// unscaled. The features that come from any other absent table are 0.
struct EncoderTables {
  std::optional<FeatureScaling> scaling;
  std::optional<SlotCompatibility> slots;
  std::optional<SlotProfile> profile;
  std::optional<SpectralVectors> spectral;  // views into the statistics
  std::optional<WalkVectors> walks;         // views into the statistics
  std::optional<PathRules> rules;
  std::optional<KnowledgeVectors> knowledge;  // views into the statistics

  // Reads every table that `statistics` holds; `statistics` must outlive the
  // tables. NOT_FOUND when the scaling is missing although feature_count is
  // above 0, or when only some of the arrays of SpectralVectors or WalkVectors
  // are there. DATA_LOSS when an array does not have the shape that the counts
  // require.
  static absl::StatusOr<EncoderTables> FromStatistics(
      const GraphStatistics& statistics, size_t relation_count,
      size_t node_count, size_t feature_count);

  // The tables that the pair features read.
  PairFeatureTables ForPairs() const;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_ENCODER_TABLES_H_
