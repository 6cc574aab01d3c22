// A kernel that breaks the device for the process that starts it.
#ifndef SLICE_TESTS_MODEL_CUDA_ILLEGAL_ACCESS_H_
#define SLICE_TESTS_MODEL_CUDA_ILLEGAL_ACCESS_H_

#include <cuda_runtime_api.h>

namespace slice {

// Runs a kernel that writes to an address which belongs to nobody, and waits
// for it. Returns its error, which stays with the process: every later call of
// the device fails with it.
cudaError_t WriteToIllegalAddress();

}  // namespace slice

#endif  // SLICE_TESTS_MODEL_CUDA_ILLEGAL_ACCESS_H_
