#include "model/device_health.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "common/logging.h"

namespace slice {
namespace {

constexpr char kLostPayload[] = "slice/device_lost";

}  // namespace

absl::Status DeviceLostError(std::string_view why) {
  absl::Status status = absl::UnavailableError(absl::StrCat(
      "the device was lost: ", absl::string_view(why.data(), why.size())));
  status.SetPayload(kLostPayload, absl::Cord());
  return status;
}

bool IsDeviceLost(const absl::Status& status) {
  return status.GetPayload(kLostPayload).has_value();
}

std::string_view DeviceLossPolicyName(DeviceLossPolicy policy) {
  return policy == DeviceLossPolicy::kExit ? "exit" : "cpu";
}

absl::StatusOr<DeviceLossPolicy> ParseDeviceLossPolicy(std::string_view name) {
  for (const DeviceLossPolicy policy :
       {DeviceLossPolicy::kExit, DeviceLossPolicy::kFallBackToCpu}) {
    if (name == DeviceLossPolicyName(policy)) return policy;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("'", absl::string_view(name.data(), name.size()),
                   "' is neither exit nor cpu"));
}

void DeviceHealth::MarkLost(const absl::Status& why) {
  if (lost_.exchange(true, std::memory_order_acq_rel)) return;
  LogError("%s", std::string(why.message()));
  if (on_loss_) on_loss_(why);
}

}  // namespace slice
