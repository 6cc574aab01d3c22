// Starts the two kernels: the encoder, which computes all logits, and the
// structural scorer alone. nvcc reads this header as C++17.
#ifndef SLICE_MODEL_CUDA_ENCODER_KERNEL_H_
#define SLICE_MODEL_CUDA_ENCODER_KERNEL_H_

#include <cuda_runtime_api.h>

#include "model/cuda/encoder_arrays.h"

namespace slice {

inline constexpr int kEncoderThreads = 256;  // per block

// Lets a block use up to `bytes` of shared memory. Call once per device, before
// the other functions.
cudaError_t AllowSharedMemory(int bytes);

// Both start a kernel on `stream` and return at once. Scratch is the memory
// that a block works in. If plan.in_shared, it is shared memory and `workspace`
// is null. Otherwise `workspace` points to it in global memory, [plan.blocks,
// plan.scratch_floats] floats.
cudaError_t LaunchEncoder(const EncoderPlan& plan, const EncoderCall& call,
                          float* workspace, cudaStream_t stream);
cudaError_t LaunchStructural(const EncoderPlan& plan,
                             const StructuralCall& call, float* workspace,
                             cudaStream_t stream);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_KERNEL_H_
