// How calls of the encoder kernel are laid out on a device.
#ifndef SLICE_MODEL_CUDA_ENCODER_PLAN_H_
#define SLICE_MODEL_CUDA_ENCODER_PLAN_H_

#include <cstdint>

#include "model/cuda/encoder_arrays.h"
#include "model/cuda/encoder_buckets.h"

namespace slice {

// Of a device, in bytes.
struct SharedMemory {
  int64_t per_block = 0;           // that a block may have
  int64_t per_multiprocessor = 0;  // that its blocks share
};

// Groups of fewer rows where that lets two blocks share a multiprocessor; in
// global memory what fits no block, then as few blocks as a workspace of
// 256 MiB holds, at least one.
EncoderPlan PlanEncoder(const EncoderArrays& arrays,
                        const EncoderBucket& bucket,
                        const SharedMemory& shared);
EncoderPlan PlanStructural(const EncoderArrays& arrays, int rows,
                           const SharedMemory& shared);

// Floats of global memory that a plan needs.
inline int64_t WorkspaceFloats(const EncoderPlan& plan) {
  return plan.in_shared ? 0 : plan.blocks * plan.scratch_floats;
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_PLAN_H_
