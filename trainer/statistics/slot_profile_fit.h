// Fits the slot profile: a few numbers that tell which slots a node has, as its
// projection on the main directions of the training graph.
#ifndef SLICE_TRAINER_STATISTICS_SLOT_PROFILE_FIT_H_
#define SLICE_TRAINER_STATISTICS_SLOT_PROFILE_FIT_H_

#include "absl/status/statusor.h"
#include "context/slot_profile.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

// The leading eigenvectors of X^T X, where X [nodes, slots] holds log1p of the
// slot counts; each is scaled so that its projection has unit mean square.
// INTERNAL when LibTorch finds no eigenvectors.
absl::StatusOr<SlotProfile> FitSlotProfile(const GraphSnapshot& graph);

}  // namespace slice

#endif  // SLICE_TRAINER_STATISTICS_SLOT_PROFILE_FIT_H_
