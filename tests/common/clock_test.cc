#include "common/clock.h"

#include "gtest/gtest.h"
#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

TEST(ClockTest, RealClockDoesNotGoBack) {
  const absl::Time first = Clock::Real()->Now();
  EXPECT_GE(Clock::Real()->Now(), first);
}

TEST(ClockTest, FakeClockMovesOnlyWhenTold) {
  FakeClock clock;
  const absl::Time start = clock.Now();
  EXPECT_EQ(clock.Now(), start);
  clock.Advance(absl::Seconds(3));
  EXPECT_EQ(clock.Now() - start, absl::Seconds(3));
}

}  // namespace
}  // namespace slice
