// The launchers of the encoder kernel. Read by nvcc as C++17.
#ifndef SLICE_MODEL_CUDA_ENCODER_KERNEL_H_
#define SLICE_MODEL_CUDA_ENCODER_KERNEL_H_

#include <cuda_runtime_api.h>

#include "model/cuda/encoder_arrays.h"

namespace slice {

inline constexpr int kEncoderThreads = 256;  // of a block

// Lets blocks use as much shared memory as the device has. Call once per
// device, before the others.
cudaError_t AllowSharedMemory(int bytes);

// `workspace` [blocks, scratch_floats]; null when the scratch is shared.
cudaError_t LaunchEncoder(const EncoderPlan& plan, const EncoderArrays& arrays,
                          const EncoderInputs& in, const EncoderOutputs& out,
                          float* workspace, cudaStream_t stream);

// The structural scorer of many rows: logits [rows, 2]. `workspace` [groups of
// kStructuralRows rows, StructuralScratch] or null.
cudaError_t LaunchStructural(const EncoderPlan& plan,
                             const EncoderArrays& arrays,
                             const StructuralInputs& in, float* logits,
                             float* workspace, cudaStream_t stream);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_KERNEL_H_
