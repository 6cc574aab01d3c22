// Fits the slot profile: directions such that a few numbers, the projections of
// a node's slots on these directions, tell which slots the node fills.
#ifndef SLICE_TRAINER_STATISTICS_SLOT_PROFILE_FIT_H_
#define SLICE_TRAINER_STATISTICS_SLOT_PROFILE_FIT_H_

#include "absl/status/statusor.h"
#include "context/slot_profile.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// The directions are the leading eigenvectors of X^T X, where X [nodes, slots]
// holds log1p of the slot degrees. Each is scaled so that the projections of
// all nodes on it have unit mean square. INTERNAL when LibTorch finds no
// eigenvectors.
absl::StatusOr<SlotProfile> FitSlotProfile(const GraphSnapshot& graph);

}  // namespace slice

#endif  // SLICE_TRAINER_STATISTICS_SLOT_PROFILE_FIT_H_
