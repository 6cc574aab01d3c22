#include "model/device.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

#ifdef SLICE_CUDA
#include "model/cuda/cuda_status.h"
#endif

namespace slice {

absl::Status CheckDevice(const std::string& name) {
  if (name == "cpu") return absl::OkStatus();
  if (name != "cuda" && !absl::StartsWith(name, "cuda:")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "unknown device '", name, "'; devices are cpu, cuda and cuda:N"));
  }
#ifdef SLICE_CUDA
  return FindCudaDevice(name).status();
#else
  return absl::UnimplementedError(absl::StrCat(
      "device ", name,
      ": this program was built without CUDA; build it with the CMake preset "
      "cuda, or use the device cpu"));
#endif
}

DeviceMemory ReadDeviceMemory(const std::string& name) {
  DeviceMemory memory;
#ifdef SLICE_CUDA
  if (name == "cpu") return memory;
  const absl::StatusOr<int> index = FindCudaDevice(name);
  size_t free = 0, total = 0;
  if (index.ok() && cudaSetDevice(*index) == cudaSuccess &&
      cudaMemGetInfo(&free, &total) == cudaSuccess) {
    memory.used = static_cast<double>(total - free);
    memory.total = static_cast<double>(total);
  }
  cudaGetLastError();
#endif
  return memory;
}

}  // namespace slice
