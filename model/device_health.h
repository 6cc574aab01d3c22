// What became of the device a network runs on.
#ifndef SLICE_MODEL_DEVICE_HEALTH_H_
#define SLICE_MODEL_DEVICE_HEALTH_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/status/status.h"

namespace slice {

// UNAVAILABLE, told from others by IsDeviceLost: the device answers no further
// call of this process. Retrying elsewhere may help.
absl::Status DeviceLostError(std::string_view why);
bool IsDeviceLost(const absl::Status& status);

// Thread-safe.
class DeviceHealth {
 public:
  // `on_loss` is called at the first loss, once, by the thread that met it.
  explicit DeviceHealth(
      std::function<void(const absl::Status& why)> on_loss = nullptr)
      : on_loss_(std::move(on_loss)) {}
  DeviceHealth(const DeviceHealth&) = delete;
  DeviceHealth& operator=(const DeviceHealth&) = delete;

  // `why` is a DeviceLostError.
  void MarkLost(const absl::Status& why);
  bool lost() const { return lost_.load(std::memory_order_acquire); }

  // A batch was cut in half because memory ran out.
  void CountHalved() { halved_.fetch_add(1, std::memory_order_relaxed); }
  uint64_t halved() const { return halved_.load(std::memory_order_relaxed); }

 private:
  const std::function<void(const absl::Status& why)> on_loss_;
  std::atomic<bool> lost_ = false;
  std::atomic<uint64_t> halved_ = 0;
};

}  // namespace slice

#endif  // SLICE_MODEL_DEVICE_HEALTH_H_
