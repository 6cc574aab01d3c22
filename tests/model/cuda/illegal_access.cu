#include <cstdint>

#include "tests/model/cuda/illegal_access.h"

namespace slice {
namespace {

__global__ void WriteTo(int* address) { *address = 1; }

}  // namespace

cudaError_t WriteToIllegalAddress() {
  // Aligned, because a misaligned address is another error.
  constexpr std::uintptr_t kNobodys = 16;
  WriteTo<<<1, 1>>>(reinterpret_cast<int*>(kNobodys));
  const cudaError_t started = cudaGetLastError();
  return started != cudaSuccess ? started : cudaDeviceSynchronize();
}

}  // namespace slice
