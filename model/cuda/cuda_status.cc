#include "model/cuda/cuda_status.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "model/device_health.h"

namespace slice {
namespace {

constexpr cudaError_t kLost[] = {
    cudaErrorIllegalAddress,
    cudaErrorMisalignedAddress,
    cudaErrorInvalidAddressSpace,
    cudaErrorInvalidPc,
    cudaErrorIllegalInstruction,
    cudaErrorHardwareStackError,
    cudaErrorLaunchFailure,
    cudaErrorLaunchTimeout,
    cudaErrorAssert,
    cudaErrorECCUncorrectable,
    cudaErrorNvlinkUncorrectable,
    cudaErrorContained,
    cudaErrorDevicesUnavailable,
    cudaErrorDeviceUninitialized,
    cudaErrorContextIsDestroyed,
    cudaErrorMpsClientTerminated,
    cudaErrorNoDevice,
    cudaErrorUnknown,
};

}  // namespace

bool IsLostDevice(cudaError_t error) {
  return std::ranges::find(kLost, error) != std::end(kLost);
}

absl::Status CudaStatus(cudaError_t error, std::string_view what) {
  if (error == cudaSuccess) return absl::OkStatus();
  // Clears the error; otherwise the next call of this thread would report it.
  cudaGetLastError();
  const std::string text =
      absl::StrCat(absl::string_view(what.data(), what.size()), ": ",
                   cudaGetErrorName(error), ", ", cudaGetErrorString(error));
  if (error == cudaErrorMemoryAllocation) {
    return absl::ResourceExhaustedError(
        absl::StrCat("out of device memory: ", text));
  }
  if (IsLostDevice(error)) return DeviceLostError(text);
  return absl::InternalError(absl::StrCat("CUDA: ", text));
}

absl::StatusOr<int> FindCudaDevice(std::string_view name) {
  absl::string_view number(name.data(), name.size());
  int index = 0;
  if (!absl::ConsumePrefix(&number, "cuda") ||
      (!number.empty() && (!absl::ConsumePrefix(&number, ":") ||
                           !absl::SimpleAtoi(number, &index) || index < 0))) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown device '", std::string(name),
                     "'; devices are cpu, cuda and cuda:N"));
  }
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) {
    cudaGetLastError();
    return absl::FailedPreconditionError(absl::StrCat(
        "device ", std::string(name), ": no CUDA device is present (",
        cudaGetErrorString(error), ")"));
  }
  if (index < count) return index;
  return absl::FailedPreconditionError(
      absl::StrCat("device ", std::string(name),
                   " is absent: the number of CUDA devices is ", count,
                   " (the first is cuda:0)"));
}

}  // namespace slice
