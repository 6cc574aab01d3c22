// How calls of the encoder kernel are laid out on a device.
#ifndef SLICE_MODEL_CUDA_ENCODER_PLAN_H_
#define SLICE_MODEL_CUDA_ENCODER_PLAN_H_

#include <cstdint>

#include "model/cuda/encoder_arrays.h"
#include "model/cuda/encoder_buckets.h"

namespace slice {

// The shared memory of a device, in bytes.
struct SharedMemory {
  int64_t per_block = 0;           // the most that one block can have
  int64_t per_multiprocessor = 0;  // shared by the blocks of a multiprocessor
};

// Plans have one block per group. Groups of the encoder get fewer rows if that
// lets two blocks share a multiprocessor. Scratch that is too large for shared
// memory is put into global memory; the plan then has as many blocks as a
// workspace of 256 MiB holds, at least one.
EncoderPlan PlanEncoder(const EncoderArrays& arrays,
                        const EncoderBucket& bucket,
                        const SharedMemory& shared);
EncoderPlan PlanStructural(const EncoderArrays& arrays, int rows,
                           const SharedMemory& shared);

// How many floats of global memory a plan needs.
inline int64_t WorkspaceFloats(const EncoderPlan& plan) {
  return plan.in_shared ? 0 : plan.blocks * plan.scratch_floats;
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_PLAN_H_
