// The one place where CUDA's errors become absl::Status.
#ifndef SLICE_MODEL_CUDA_CUDA_STATUS_H_
#define SLICE_MODEL_CUDA_CUDA_STATUS_H_

#include <cuda_runtime_api.h>

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

// Whether no further call of this process reaches the device after `error`:
// errors that stay with a context, and a device that is gone.
bool IsLostDevice(cudaError_t error);

// RESOURCE_EXHAUSTED when memory ran out, DeviceLostError, INTERNAL otherwise,
// with `what` was tried.
absl::Status CudaStatus(cudaError_t error, std::string_view what);

// FAILED_PRECONDITION unless `name` ("cuda" or "cuda:N") is a device that is
// here; INVALID_ARGUMENT for another name. Its number.
absl::StatusOr<int> FindCudaDevice(std::string_view name);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_CUDA_STATUS_H_
