// Whether the device that a network runs on still works, and what to do when
// it is lost.
#ifndef SLICE_MODEL_DEVICE_HEALTH_H_
#define SLICE_MODEL_DEVICE_HEALTH_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace slice {

// An UNAVAILABLE error which says that the device answers no further call of
// this process. Retrying on another machine may help. IsDeviceLost tells this
// error from other UNAVAILABLE errors.
absl::Status DeviceLostError(std::string_view why);
bool IsDeviceLost(const absl::Status& status);

// What happens when the device is lost. kExit: calls fail with DeviceLostError
// and the server ends. kFallBackToCpu: the CPU runs all calls from then on.
enum class DeviceLossPolicy { kExit, kFallBackToCpu };
std::string_view DeviceLossPolicyName(
    DeviceLossPolicy policy);  // "exit", "cpu"
// INVALID_ARGUMENT for another name, listing the two.
absl::StatusOr<DeviceLossPolicy> ParseDeviceLossPolicy(std::string_view name);

// What is known about the device of a network: whether it is lost, and how
// often its memory ran out. Thread-safe.
class DeviceHealth {
 public:
  // `on_loss` is called once, at the first loss, by the thread that noticed it.
  explicit DeviceHealth(
      std::function<void(const absl::Status& why)> on_loss = nullptr)
      : on_loss_(std::move(on_loss)) {}
  DeviceHealth(const DeviceHealth&) = delete;
  DeviceHealth& operator=(const DeviceHealth&) = delete;

  // Records that the device is lost; `why` is a DeviceLostError. Later calls
  // change nothing.
  void MarkLost(const absl::Status& why);
  bool lost() const { return lost_.load(std::memory_order_acquire); }

  // Counts a batch that was cut in half because memory ran out.
  void CountHalved() { halved_.fetch_add(1, std::memory_order_relaxed); }
  uint64_t halved() const { return halved_.load(std::memory_order_relaxed); }

 private:
  const std::function<void(const absl::Status& why)> on_loss_;
  std::atomic<bool> lost_ = false;
  std::atomic<uint64_t> halved_ = 0;
};

}  // namespace slice

#endif  // SLICE_MODEL_DEVICE_HEALTH_H_
