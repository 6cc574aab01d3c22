// Smart pointers to memory and handles of CUDA.
#ifndef SLICE_MODEL_CUDA_CUDA_MEMORY_H_
#define SLICE_MODEL_CUDA_CUDA_MEMORY_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <type_traits>

#include "absl/status/statusor.h"
#include "model/cuda/cuda_status.h"

namespace slice {

// A deleter that calls kFree and ignores the result, because kFree fails once
// the device is lost.
template <auto kFree>
struct CudaFree {
  template <typename Handle>
  void operator()(Handle* handle) const {
    kFree(handle);
  }
};

template <typename T>
using DeviceArray = std::unique_ptr<T, CudaFree<&cudaFree>>;
// Memory of the host that is never swapped out, so that a device copies to and
// from it directly.
template <typename T>
using PinnedArray = std::unique_ptr<T, CudaFree<&cudaFreeHost>>;

using CudaStream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>,
                                   CudaFree<&cudaStreamDestroy>>;
using CudaEvent = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>,
                                  CudaFree<&cudaEventDestroy>>;
using CudaGraph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>,
                                  CudaFree<&cudaGraphDestroy>>;
using CudaGraphExec = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>,
                                      CudaFree<&cudaGraphExecDestroy>>;

// These allocate an array of `count` numbers, or of one if `count` is 0.
// RESOURCE_EXHAUSTED when memory ran out.
template <typename T>
absl::StatusOr<DeviceArray<T>> MakeDeviceArray(int64_t count) {
  void* memory = nullptr;
  const size_t bytes = static_cast<size_t>(count > 0 ? count : 1) * sizeof(T);
  absl::Status made = CudaStatus(cudaMalloc(&memory, bytes), "cudaMalloc");
  if (!made.ok()) return made;
  return DeviceArray<T>(static_cast<T*>(memory));
}

template <typename T>
absl::StatusOr<PinnedArray<T>> MakePinnedArray(int64_t count) {
  void* memory = nullptr;
  const size_t bytes = static_cast<size_t>(count > 0 ? count : 1) * sizeof(T);
  absl::Status made =
      CudaStatus(cudaMallocHost(&memory, bytes), "cudaMallocHost");
  if (!made.ok()) return made;
  return PinnedArray<T>(static_cast<T*>(memory));
}

// A copy of `values` [count] on the device.
template <typename T>
absl::StatusOr<DeviceArray<T>> CopyToDevice(const T* values, int64_t count) {
  absl::StatusOr<DeviceArray<T>> array = MakeDeviceArray<T>(count);
  if (!array.ok()) return array;
  absl::Status copied = CudaStatus(
      cudaMemcpy(array->get(), values, static_cast<size_t>(count) * sizeof(T),
                 cudaMemcpyHostToDevice),
      "copy to the device");
  if (!copied.ok()) return copied;
  return array;
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_CUDA_MEMORY_H_
