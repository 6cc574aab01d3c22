#include "server/transport/hostile_hosts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

class HostileHostsTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  HostileHosts hosts_{&clock_};
};

TEST_F(HostileHostsTest, TheFirstOffenceKeepsNobodyOut) {
  EXPECT_FALSE(hosts_.KeepsOut("a"));
  EXPECT_EQ(hosts_.Offends("a"), absl::ZeroDuration());
  EXPECT_FALSE(hosts_.KeepsOut("a"));
}

TEST_F(HostileHostsTest, EachFurtherOneKeepsTheHostOutTwiceAsLong) {
  hosts_.Offends("a");
  absl::Duration ban = HostileHosts::kFirstBan;
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(hosts_.Offends("a"), ban);
    EXPECT_TRUE(hosts_.KeepsOut("a"));
    EXPECT_FALSE(hosts_.KeepsOut("b"));
    clock_.Advance(ban - absl::Milliseconds(1));
    EXPECT_TRUE(hosts_.KeepsOut("a"));
    clock_.Advance(absl::Milliseconds(1));
    EXPECT_FALSE(hosts_.KeepsOut("a"));
    ban = std::min(2 * ban, HostileHosts::kLongestBan);
  }
}

TEST_F(HostileHostsTest, WhatWasUnderWayAddsNothing) {
  hosts_.Offends("a");
  hosts_.Offends("a");
  clock_.Advance(absl::Seconds(1));
  EXPECT_EQ(hosts_.Offends("a"), HostileHosts::kFirstBan - absl::Seconds(1));
}

TEST_F(HostileHostsTest, AQuietHostIsForgiven) {
  hosts_.Offends("a");
  clock_.Advance(HostileHosts::kForgiven);
  EXPECT_EQ(hosts_.Offends("a"), absl::ZeroDuration());
  for (int i = 0; i < 100; ++i) hosts_.Offends(absl::StrCat(i));
  clock_.Advance(HostileHosts::kForgiven);
  hosts_.Offends("b");
  EXPECT_EQ(hosts_.size(), 1);
}

}  // namespace
}  // namespace slice
