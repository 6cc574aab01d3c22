#include "server/feed/max_lag.h"

#include <gtest/gtest.h>

namespace slice {
namespace {

FollowerState Behind(uint64_t entries, absl::Duration time, bool connected) {
  FollowerState state;
  state.connected = connected;
  state.version = 100;
  state.known_last = 100 + entries;
  state.since_in_step = time;
  return state;
}

TEST(MaxLagTest, ANumberCountsEntries) {
  const auto lag = ParseMaxLag("10");
  ASSERT_TRUE(lag.ok()) << lag.status();
  EXPECT_TRUE(lag->Allows(Behind(10, absl::Hours(1), true)));
  EXPECT_FALSE(lag->Allows(Behind(11, absl::Seconds(1), true)));
  // What the feed has is not known now, so nothing is missed.
  EXPECT_TRUE(lag->Allows(Behind(0, absl::Hours(1), false)));
}

TEST(MaxLagTest, ATimeAlsoCountsWhileTheFeedIsAway) {
  const auto lag = ParseMaxLag("30s");
  ASSERT_TRUE(lag.ok()) << lag.status();
  EXPECT_TRUE(lag->Allows(Behind(1'000'000, absl::Seconds(30), true)));
  EXPECT_FALSE(lag->Allows(Behind(0, absl::Seconds(31), false)));
}

TEST(MaxLagTest, AFeedThatCannotBeFollowedIsBeyondAllBounds) {
  FollowerState state = Behind(0, absl::ZeroDuration(), false);
  state.problem = absl::FailedPreconditionError("lost");
  EXPECT_FALSE(ParseMaxLag("10")->Allows(state));
  EXPECT_FALSE(ParseMaxLag("1h")->Allows(state));
}

TEST(MaxLagTest, RefusesOtherTexts) {
  for (const char* text : {"", "soon", "-1", "-5s", "0s", "1.5"}) {
    EXPECT_EQ(ParseMaxLag(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

}  // namespace
}  // namespace slice
