#include "model/cuda/encoder_plan.h"

#include <algorithm>

#include "model/cuda/encoder_group.h"

namespace slice {
namespace {

// The most scratch in global memory: 256 MiB.
constexpr int64_t kWorkspaceFloats = int64_t{64} << 20;
// Shared memory of each block that the device reserves for itself.
constexpr int64_t kReservedBytes = 1024;

// A plan for `groups` groups with `floats` floats of scratch each.
EncoderPlan Place(int groups, int64_t floats, const SharedMemory& shared) {
  EncoderPlan plan;
  plan.blocks = groups;
  plan.scratch_floats = floats;
  plan.in_shared =
      floats * static_cast<int64_t>(sizeof(float)) <= shared.per_block;
  if (!plan.in_shared) {
    plan.blocks = static_cast<int>(
        std::clamp<int64_t>(kWorkspaceFloats / floats, 1, groups));
  }
  return plan;
}

}  // namespace

EncoderPlan PlanEncoder(const EncoderArrays& arrays,
                        const EncoderBucket& bucket,
                        const SharedMemory& shared) {
  const int64_t half = shared.per_multiprocessor / 2 - kReservedBytes;
  const auto floats = [&](int rows) {
    return ScratchOf(arrays, rows, bucket.width).floats;
  };
  int rows = GroupRows(bucket);
  while (rows > 1 &&
         floats(rows) * static_cast<int64_t>(sizeof(float)) > half) {
    rows /= 2;
  }
  EncoderPlan plan =
      Place((bucket.rows + rows - 1) / rows, floats(rows), shared);
  plan.group_rows = rows;
  return plan;
}

EncoderPlan PlanStructural(const EncoderArrays& arrays, int rows,
                           const SharedMemory& shared) {
  EncoderPlan plan = Place((rows + kStructuralRows - 1) / kStructuralRows,
                           StructuralScratch(arrays), shared);
  plan.group_rows = kStructuralRows;
  return plan;
}

}  // namespace slice
