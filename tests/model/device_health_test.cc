#include "model/device_health.h"

#include <gtest/gtest.h>

#include <string>

namespace slice {
namespace {

TEST(DeviceHealthTest, ReportsTheFirstLossAlone) {
  int calls = 0;
  std::string reason;
  DeviceHealth health([&](const absl::Status& why) {
    ++calls;
    reason = std::string(why.message());
  });
  EXPECT_FALSE(health.lost());
  health.MarkLost(DeviceLostError("illegal address"));
  health.MarkLost(DeviceLostError("launch failure"));
  EXPECT_TRUE(health.lost());
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(reason, "the device was lost: illegal address");
}

TEST(DeviceHealthTest, CountsHalvedBatches) {
  DeviceHealth health;
  EXPECT_EQ(health.halved(), 0u);
  health.CountHalved();
  health.CountHalved();
  EXPECT_EQ(health.halved(), 2u);
}

TEST(DeviceLostErrorTest, IsToldFromOtherErrors) {
  const absl::Status lost = DeviceLostError("illegal address");
  EXPECT_EQ(lost.code(), absl::StatusCode::kUnavailable);
  EXPECT_TRUE(IsDeviceLost(lost));
  EXPECT_FALSE(IsDeviceLost(absl::UnavailableError("busy")));
  EXPECT_FALSE(IsDeviceLost(absl::OkStatus()));
}

TEST(DeviceLossPolicyTest, NamesAreParsedAndOthersRefused) {
  for (const DeviceLossPolicy policy :
       {DeviceLossPolicy::kExit, DeviceLossPolicy::kFallBackToCpu}) {
    EXPECT_EQ(*ParseDeviceLossPolicy(DeviceLossPolicyName(policy)), policy);
  }
  const absl::Status refused = ParseDeviceLossPolicy("ignore").status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(refused.message(), "'ignore' is neither exit nor cpu");
}

}  // namespace
}  // namespace slice
