// The network of model/torch/network_definition.h in one kernel: a block takes
// a few neighbouring contexts from token ids to logits, their tokens in its
// shared memory throughout (where they are too many, in a workspace of global
// memory).
//
// What a thread does between two barriers is in encoder_phases.h and
// encoder_attention.h, the order of the steps in encoder_network.h; the CPU
// reference (reference_device.cc) runs the same. Products are plain float32:
// no TF32.
#include "model/cuda/encoder_kernel.h"
#include "model/cuda/encoder_network.h"

namespace slice {
namespace {

// Runs a step on all threads of the block, then has them wait for each other.
struct DeviceBlock {
  template <typename Step>
  __device__ void Run(const Step& step) const {
    step(static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x));
    __syncthreads();
  }
};

extern __shared__ float shared_scratch[];

// A kernel for each home of the scratch: the compiler then knows which memory
// it reads.
template <bool kInShared>
__device__ float* Scratch(float* workspace, int64_t floats) {
  return kInShared ? shared_scratch : workspace + blockIdx.x * floats;
}

template <bool kInShared>
__global__ void __launch_bounds__(kEncoderThreads)
    EncoderKernel(const __grid_constant__ EncoderArrays arrays,
                  const __grid_constant__ EncoderInputs in,
                  const __grid_constant__ EncoderOutputs out, int group_rows,
                  float* workspace, int64_t floats) {
  float* scratch = Scratch<kInShared>(workspace, floats);
  for (int group = blockIdx.x; group * group_rows < in.rows;
       group += gridDim.x) {
    RunEncoderGroup(DeviceBlock{}, arrays, in, out, group, group_rows, scratch);
  }
}

template <bool kInShared>
__global__ void __launch_bounds__(kEncoderThreads)
    StructuralKernel(const __grid_constant__ EncoderArrays arrays,
                     const __grid_constant__ StructuralInputs in, float* logits,
                     float* workspace, int64_t floats) {
  float* scratch = Scratch<kInShared>(workspace, floats);
  for (int group = blockIdx.x; group * kStructuralRows < in.rows;
       group += gridDim.x) {
    RunStructuralGroup(DeviceBlock{}, arrays, in, logits, group, scratch);
  }
}

}  // namespace

cudaError_t AllowSharedMemory(int bytes) {
  constexpr cudaFuncAttribute kMost =
      cudaFuncAttributeMaxDynamicSharedMemorySize;
  const cudaError_t error =
      cudaFuncSetAttribute(EncoderKernel<true>, kMost, bytes);
  if (error != cudaSuccess) return error;
  return cudaFuncSetAttribute(StructuralKernel<true>, kMost, bytes);
}

cudaError_t LaunchEncoder(const EncoderPlan& plan, const EncoderArrays& arrays,
                          const EncoderInputs& in, const EncoderOutputs& out,
                          float* workspace, cudaStream_t stream) {
  const int64_t floats = plan.scratch_floats;
  if (plan.in_shared) {
    EncoderKernel<true>
        <<<plan.blocks, kEncoderThreads, floats * sizeof(float), stream>>>(
            arrays, in, out, plan.group_rows, nullptr, floats);
  } else {
    EncoderKernel<false><<<plan.blocks, kEncoderThreads, 0, stream>>>(
        arrays, in, out, plan.group_rows, workspace, floats);
  }
  return cudaGetLastError();
}

cudaError_t LaunchStructural(const EncoderPlan& plan,
                             const EncoderArrays& arrays,
                             const StructuralInputs& in, float* logits,
                             float* workspace, cudaStream_t stream) {
  const int64_t floats = plan.scratch_floats;
  if (plan.in_shared) {
    StructuralKernel<true>
        <<<plan.blocks, kEncoderThreads, floats * sizeof(float), stream>>>(
            arrays, in, logits, nullptr, floats);
  } else {
    StructuralKernel<false><<<plan.blocks, kEncoderThreads, 0, stream>>>(
        arrays, in, logits, workspace, floats);
  }
  return cudaGetLastError();
}

}  // namespace slice
