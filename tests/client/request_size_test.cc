#include "client/request_size.h"

#include "gtest/gtest.h"

namespace slice {
namespace {

constexpr absl::Duration kMaxTime = absl::Seconds(30);
constexpr absl::Duration kQuick = absl::Seconds(3);
constexpr absl::Duration kSlow = absl::Seconds(4);

TEST(RequestSizeTest, HalvesDownToOne) {
  RequestSize size(10, kMaxTime);
  for (const size_t expected : {5, 2, 1, 1}) {
    size.Missed(size.links());
    EXPECT_EQ(size.links(), expected);
  }
}

TEST(RequestSizeTest, CallsOfOneSizeThatFailTogetherHalveOnce) {
  RequestSize size(512, kMaxTime);
  for (int i = 0; i < 4; ++i) size.Missed(512);
  EXPECT_EQ(size.links(), 256);
}

TEST(RequestSizeTest, QuickCallsDoubleUpToTheMost) {
  RequestSize size(10, kMaxTime);
  size.Missed(10);
  size.Missed(5);
  for (const size_t expected : {4, 8, 10, 10}) {
    size.Answered(size.links(), kQuick);
    EXPECT_EQ(size.links(), expected);
  }
}

TEST(RequestSizeTest, SlowCallsDoNotGrow) {
  RequestSize size(64, kMaxTime);
  size.Missed(64);
  size.Answered(32, kSlow);
  EXPECT_EQ(size.links(), 32);
}

TEST(RequestSizeTest, SmallerCallsProveNothingOfLargerOnes) {
  RequestSize size(64, kMaxTime);
  size.Missed(64);
  size.Answered(31, kQuick);
  EXPECT_EQ(size.links(), 32);
}

TEST(RequestSizeTest, CallsOfOneSizeThatAreQuickTogetherDoubleOnce) {
  RequestSize size(512, kMaxTime);
  size.Missed(128);
  for (int i = 0; i < 4; ++i) size.Answered(64, kQuick);
  EXPECT_EQ(size.links(), 128);
}

}  // namespace
}  // namespace slice
