// The devices that a network can run on, by name: "cpu", "cuda" or "cuda:N".
#ifndef SLICE_MODEL_DEVICE_H_
#define SLICE_MODEL_DEVICE_H_

#include <string>

#include "absl/status/status.h"

namespace slice {

// OK if the device is present. INVALID_ARGUMENT for an unknown name;
// UNIMPLEMENTED for a cuda device in a build without CUDA; FAILED_PRECONDITION
// when the device is absent.
absl::Status CheckDevice(const std::string& name);

// Memory of a device in bytes.
struct DeviceMemory {
  double used = 0;  // by all processes
  double total = 0;
};

// Returns zeros for the CPU and for a device that is absent or lost.
// Thread-safe.
DeviceMemory ReadDeviceMemory(const std::string& name);

}  // namespace slice

#endif  // SLICE_MODEL_DEVICE_H_
