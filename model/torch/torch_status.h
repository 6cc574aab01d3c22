// The one place where LibTorch's exceptions become absl::Status.
#ifndef SLICE_MODEL_TORCH_TORCH_STATUS_H_
#define SLICE_MODEL_TORCH_TORCH_STATUS_H_

#include <c10/util/Exception.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

#ifdef SLICE_CUDA
#include "model/cuda/cuda_status.h"
#endif

namespace slice {

// Runs `body`, which returns absl::Status or absl::StatusOr<T>, and turns
// exceptions into errors: RESOURCE_EXHAUSTED when memory ran out,
// DeviceLostError when the device was lost, INTERNAL with the exception's text
// on one line for any other.
template <typename Body>
auto CatchTorchErrors(Body body) -> decltype(body()) {
  // The first 400 characters in one line; a C++ stack trace follows them.
  const auto one_line = [](const char* text) {
    std::string line(text);
    line.erase(0, line.find_first_not_of('\n'));
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line.substr(0, 400);
  };
  try {
    return body();
  } catch (const c10::OutOfMemoryError& error) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "out of device memory: ", one_line(error.what_without_backtrace())));
#ifdef SLICE_CUDA
  } catch (const c10::AcceleratorError& error) {
    return CudaStatus(static_cast<cudaError_t>(error.get_error_code()),
                      one_line(error.what_without_backtrace()));
#endif
  } catch (const c10::Error& error) {
    return absl::InternalError(
        absl::StrCat("LibTorch: ", one_line(error.what_without_backtrace())));
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("out of memory");
  } catch (const std::exception& error) {
    return absl::InternalError(
        absl::StrCat("LibTorch: ", one_line(error.what())));
  }
}

}  // namespace slice

#endif  // SLICE_MODEL_TORCH_TORCH_STATUS_H_
