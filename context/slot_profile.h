// The slot profile of a node: log1p of its slot degrees, projected on a few
// directions along which the nodes of the training graph differ most.
#ifndef SLICE_CONTEXT_SLOT_PROFILE_H_
#define SLICE_CONTEXT_SLOT_PROFILE_H_

#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "context/context_token.h"
#include "context/node_slots.h"
#include "graphstore/graph_statistics.h"

namespace slice {

// Immutable; thread-safe.
class SlotProfile {
 public:
  // `basis` is [slots, kProfileDim], row-major.
  SlotProfile(std::vector<float> basis, size_t slot_count)
      : basis_(std::move(basis)), slot_count_(slot_count) {}

  // Reads what a bundle stores under "slot_profile.basis". Returns nullopt when
  // it is absent. DATA_LOSS when its shape is not [slot_count, kProfileDim].
  static absl::StatusOr<std::optional<SlotProfile>> FromStatistics(
      const GraphStatistics& statistics, size_t slot_count);
  void AddTo(GraphStatistics& statistics) const;

  // Computes the sum over `slots` of log1p(count) * basis[slot].
  void Compute(std::span<const SlotCount> slots,
               std::span<float, kProfileDim> values) const;

 private:
  std::vector<float> basis_;
  size_t slot_count_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_SLOT_PROFILE_H_
