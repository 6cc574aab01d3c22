// The one place where CUDA's errors become absl::Status.
#ifndef SLICE_MODEL_CUDA_CUDA_STATUS_H_
#define SLICE_MODEL_CUDA_CUDA_STATUS_H_

#include <cuda_runtime_api.h>

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

// Whether this process can no longer use the device after `error`, because the
// error stays with the CUDA context or the device is gone.
bool IsLostDevice(cudaError_t error);

// RESOURCE_EXHAUSTED when memory ran out, DeviceLostError when the device is
// lost, INTERNAL for other errors. `what` says in the message what was tried.
absl::Status CudaStatus(cudaError_t error, std::string_view what);

// The number of the device `name`, "cuda" or "cuda:N". FAILED_PRECONDITION when
// it is absent; INVALID_ARGUMENT for another name.
absl::StatusOr<int> FindCudaDevice(std::string_view name);

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_CUDA_STATUS_H_
