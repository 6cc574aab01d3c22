#include "context/slot_profile.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"

namespace slice {

constexpr char kArrayName[] = "slot_profile.basis";

absl::StatusOr<std::optional<SlotProfile>> SlotProfile::FromStatistics(
    const GraphStatistics& statistics, size_t slot_count) {
  const auto array = statistics.Get(kArrayName);
  if (!array.ok()) return std::nullopt;
  if ((*array)->values.size() != slot_count * kProfileDim) {
    return absl::DataLossError(absl::StrCat(
        kArrayName, " holds ", (*array)->values.size(), " values, not ",
        slot_count, " x ", kProfileDim, ": train the bundle again"));
  }
  return SlotProfile((*array)->values, slot_count);
}

void SlotProfile::AddTo(GraphStatistics& statistics) const {
  statistics.Set(kArrayName, {{static_cast<int64_t>(slot_count_),
                               static_cast<int64_t>(kProfileDim)},
                              basis_});
}

void SlotProfile::Compute(std::span<const SlotCount> slots,
                          std::span<float, kProfileDim> values) const {
  std::fill(values.begin(), values.end(), 0.0f);
  for (const SlotCount& slot : slots) {
    const float weight = std::log1p(static_cast<float>(slot.count));
    const float* row = basis_.data() + size_t{slot.slot} * kProfileDim;
    for (size_t k = 0; k < kProfileDim; ++k) values[k] += weight * row[k];
  }
}

}  // namespace slice
