// The network of model/torch/network_definition.h in one kernel. A block
// computes a group, a few neighbouring contexts, from token ids to logits. From
// the first step to the last, the tokens of the group stay in the scratch
// memory of the block: in shared memory or, if they do not fit, in global
// memory (the workspace).
//
// What a thread does between two barriers is in model/cuda/encoder_phases.h,
// encoder_product.h, encoder_norm.h and encoder_attention.h beside it; the
// order of the steps is in model/cuda/encoder_network.h. The CPU reference
// (model/cuda/reference_device.cc) runs the same code. Products are plain
// float32, without TF32.
#include "model/cuda/encoder_kernel.h"
#include "model/cuda/encoder_network.h"

namespace slice {
namespace {

// Runs a step on all threads of the block; they then wait for each other.
struct DeviceBlock {
  template <typename Step>
  __device__ void Run(const Step& step) const {
    step(BlockThread{static_cast<int>(threadIdx.x),
                     static_cast<int>(blockDim.x)});
    __syncthreads();
  }
};

extern __shared__ float shared_scratch[];

// Each kernel is compiled once for scratch in shared memory and once for
// scratch in global memory, so that the compiler knows which memory the kernel
// reads.
template <bool kInShared>
__device__ float* Scratch(float* workspace, int64_t floats) {
  return kInShared ? shared_scratch : workspace + blockIdx.x * floats;
}

template <bool kInShared>
__global__ void __launch_bounds__(kEncoderThreads)
    EncoderKernel(const __grid_constant__ EncoderCall call, int group_rows,
                  float* workspace, int64_t floats) {
  float* scratch = Scratch<kInShared>(workspace, floats);
  for (int group = blockIdx.x; group * group_rows < call.in.rows;
       group += gridDim.x) {
    RunEncoderGroup(DeviceBlock{}, call, group, group_rows, scratch);
  }
}

template <bool kInShared>
__global__ void __launch_bounds__(kEncoderThreads)
    StructuralKernel(const __grid_constant__ StructuralCall call,
                     float* workspace, int64_t floats) {
  float* scratch = Scratch<kInShared>(workspace, floats);
  for (int group = blockIdx.x; group * kStructuralRows < call.in.rows;
       group += gridDim.x) {
    RunStructuralGroup(DeviceBlock{}, call, group, scratch);
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

cudaError_t LaunchEncoder(const EncoderPlan& plan, const EncoderCall& call,
                          float* workspace, cudaStream_t stream) {
  const int64_t floats = plan.scratch_floats;
  if (plan.in_shared) {
    EncoderKernel<true>
        <<<plan.blocks, kEncoderThreads, floats * sizeof(float), stream>>>(
            call, plan.group_rows, nullptr, floats);
  } else {
    EncoderKernel<false><<<plan.blocks, kEncoderThreads, 0, stream>>>(
        call, plan.group_rows, workspace, floats);
  }
  return cudaGetLastError();
}

cudaError_t LaunchStructural(const EncoderPlan& plan,
                             const StructuralCall& call, float* workspace,
                             cudaStream_t stream) {
  const int64_t floats = plan.scratch_floats;
  if (plan.in_shared) {
    StructuralKernel<true>
        <<<plan.blocks, kEncoderThreads, floats * sizeof(float), stream>>>(
            call, nullptr, floats);
  } else {
    StructuralKernel<false>
        <<<plan.blocks, kEncoderThreads, 0, stream>>>(call, workspace, floats);
  }
  return cudaGetLastError();
}

}  // namespace slice
