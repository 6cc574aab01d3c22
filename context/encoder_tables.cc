#include "context/encoder_tables.h"

#include "common/status_macros.h"

namespace slice {

absl::StatusOr<EncoderTables> EncoderTables::FromStatistics(
    const GraphStatistics& statistics, size_t relation_count, size_t node_count,
    size_t feature_count) {
  EncoderTables tables;
  if (feature_count > 0) {
    SLICE_ASSIGN_OR_RETURN(tables.scaling, FeatureScaling::FromStatistics(
                                               statistics, feature_count));
  }
  SLICE_ASSIGN_OR_RETURN(tables.slots, SlotCompatibility::FromStatistics(
                                           statistics, 2 * relation_count));
  SLICE_ASSIGN_OR_RETURN(tables.profile, SlotProfile::FromStatistics(
                                             statistics, 2 * relation_count));
  SLICE_ASSIGN_OR_RETURN(
      tables.spectral, SpectralVectors::FromStatistics(statistics, node_count));
  SLICE_ASSIGN_OR_RETURN(tables.walks,
                         WalkVectors::FromStatistics(statistics, node_count));
  SLICE_ASSIGN_OR_RETURN(tables.rules,
                         PathRules::FromStatistics(statistics, relation_count));
  SLICE_ASSIGN_OR_RETURN(
      tables.knowledge,
      KnowledgeVectors::FromStatistics(statistics, node_count, relation_count));
  return tables;
}

PairFeatureTables EncoderTables::ForPairs() const {
  PairFeatureTables pairs;
  if (slots) pairs.slots = &*slots;
  if (spectral) pairs.spectral = &*spectral;
  if (walks) pairs.walks = &*walks;
  if (rules) pairs.rules = &*rules;
  return pairs;
}

}  // namespace slice
