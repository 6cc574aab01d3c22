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

// These plan a call of the encoder or of the structural scorer. The rows of a
// call are cut into groups. A plan has one thread block per group. Groups of
// the encoder get fewer rows if that lets two blocks share a multiprocessor. If
// the scratch (working memory) of a block is too large for shared memory, it is
// put into global memory. Then all blocks together have at most 256 MiB of
// scratch (but there is at least one block), and a block computes several
// groups in turn.
EncoderPlan PlanEncoder(const EncoderArrays& arrays,
                        const EncoderBucket& bucket,
                        const SharedMemory& shared);
EncoderPlan PlanStructural(const EncoderArrays& arrays, int rows,
                           const SharedMemory& shared);

// How many floats of global memory the scratch of a plan needs.
inline int64_t WorkspaceFloats(const EncoderPlan& plan) {
  return plan.in_shared ? 0 : plan.blocks * plan.scratch_floats;
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_PLAN_H_
