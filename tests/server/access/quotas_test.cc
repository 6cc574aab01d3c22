#include "server/access/quotas.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "google/rpc/error_details.pb.h"
#include "gtest/gtest.h"
#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

QuotaLimits LinksPerSecond(double limit) {
  QuotaLimits limits;
  limits.of(QuotaKind::kLinks) = limit;
  return limits;
}

Account Host(uint64_t id) { return {id, nullptr}; }

Account Named(const std::string& name, QuotaExceptions limits = {}) {
  auto identity = std::make_shared<Identity>();
  identity->name = name;
  identity->limits = limits;
  return {std::hash<std::string>()(name), std::move(identity)};
}

absl::Duration RetryDelayOf(const absl::Status& status) {
  const auto payload =
      status.GetPayload("type.googleapis.com/google.rpc.RetryInfo");
  google::rpc::RetryInfo info;
  if (!payload.has_value() || !info.ParseFromString(std::string(*payload))) {
    return absl::ZeroDuration();
  }
  return absl::Seconds(info.retry_delay().seconds()) +
         absl::Nanoseconds(info.retry_delay().nanos());
}

class QuotasTest : public ::testing::Test {
 protected:
  bool Ask(Quotas& quotas, const Account& account, double cost,
           QuotaKind kind = QuotaKind::kLinks) {
    if (!quotas.Check(account, kind).ok()) return false;
    quotas.Charge(account, kind, cost);
    return true;
  }

  FakeClock clock_;
};

TEST_F(QuotasTest, WithoutLimitsEverythingPassesAndIsCounted) {
  Quotas quotas({}, &clock_);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(Ask(quotas, Host(1), 1000));
  EXPECT_EQ(quotas.remembered(), 0);
  EXPECT_EQ(quotas.Usage().at("anonymous").charged[0], 1e6);
}

// A bucket with a level in doubles, filled step by step.
TEST_F(QuotasTest, AgreesWithABucketThatIsFilledStepByStep) {
  std::mt19937 random(7);
  for (const double per_second : {0.3, 2.0, 50.0, 4000.0}) {
    Quotas quotas(LinksPerSecond(per_second), &clock_);
    double level = per_second;  // the burst is one second
    int passed = 0, refused = 0;
    for (int i = 0; i < 2000; ++i) {
      const auto wait =
          absl::Milliseconds(std::uniform_int_distribution<>(1, 400)(random));
      clock_.Advance(wait);
      level = std::min(per_second,
                       level + per_second * absl::ToDoubleSeconds(wait));
      if (std::abs(level) < 1e-6 * per_second) continue;  // rounding decides
      const double cost =
          std::uniform_real_distribution<>(0, 0.5 * per_second)(random);
      const bool passes = level > 0;
      ASSERT_EQ(Ask(quotas, Host(1), cost), passes) << i << " " << level;
      if (passes) level -= cost;
      ++(passes ? passed : refused);
    }
    EXPECT_GT(passed, 500);
    EXPECT_GT(refused, 50);
  }
}

TEST_F(QuotasTest, ACallThatCostsMoreThanASecondPassesAndIsPaidFor) {
  Quotas quotas(LinksPerSecond(100), &clock_);
  EXPECT_TRUE(Ask(quotas, Host(1), 1000));
  const absl::Status refused = quotas.Check(Host(1), QuotaKind::kLinks);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("quota of 100 links per second"));
  const absl::Duration delay = RetryDelayOf(refused);
  EXPECT_NEAR(absl::ToDoubleSeconds(delay), 9, 1e-3);
  clock_.Advance(delay - absl::Milliseconds(1));
  EXPECT_FALSE(Ask(quotas, Host(1), 1));
  clock_.Advance(absl::Milliseconds(1));
  EXPECT_TRUE(Ask(quotas, Host(1), 1));
}

TEST_F(QuotasTest, AccountsAndKindsHaveBucketsOfTheirOwn) {
  QuotaLimits limits = LinksPerSecond(1);
  limits.of(QuotaKind::kSearches) = 1;
  Quotas quotas(limits, &clock_);
  EXPECT_TRUE(Ask(quotas, Host(1), 5));
  EXPECT_FALSE(Ask(quotas, Host(1), 5));
  EXPECT_TRUE(Ask(quotas, Host(2), 5));
  EXPECT_TRUE(Ask(quotas, Host(1), 5, QuotaKind::kSearches));
  EXPECT_TRUE(Ask(quotas, Host(1), 5, QuotaKind::kRecommendations));
  EXPECT_EQ(quotas.Usage().at("anonymous").refused[0], 1);
}

TEST_F(QuotasTest, AnIdentityMayHaveLimitsOfItsOwn) {
  Quotas quotas(LinksPerSecond(1), &clock_);
  QuotaExceptions more, none;
  more.per_second[0] = 1000;
  none.per_second[0] = 0;
  const Account usual = Named("usual"), big = Named("big", more),
                free = Named("free", none);
  for (const Account& one : {usual, big, free}) {
    EXPECT_TRUE(Ask(quotas, one, 10));
  }
  EXPECT_FALSE(Ask(quotas, usual, 10));
  EXPECT_TRUE(Ask(quotas, big, 10));
  EXPECT_TRUE(Ask(quotas, free, 10));
  EXPECT_THAT(std::string(quotas.Check(usual, QuotaKind::kLinks).message()),
              HasSubstr("'usual' has used up its quota of 1 links per second"));
  EXPECT_EQ(quotas.Usage().at("usual").refused[0], 2);
}

TEST_F(QuotasTest, RefusedCallersAreToldToComeBackOneAfterAnother) {
  Quotas quotas(LinksPerSecond(10), &clock_);
  EXPECT_TRUE(Ask(quotas, Host(1), 10));
  std::vector<absl::Duration> delays;
  for (int i = 0; i < 20; ++i) {
    delays.push_back(RetryDelayOf(quotas.Check(Host(1), QuotaKind::kLinks)));
  }
  // Every caller that waits for its delay passes.
  absl::Duration before;
  for (const absl::Duration delay : delays) {
    clock_.Advance(delay - before);
    before = delay;
    EXPECT_TRUE(Ask(quotas, Host(1), 1)) << delay;
  }
}

TEST_F(QuotasTest, NobodyIsToldToWaitForLong) {
  Quotas quotas(LinksPerSecond(10), &clock_);
  EXPECT_TRUE(Ask(quotas, Host(1), 10));
  for (int i = 0; i < 1000; ++i) {
    const absl::Status refused = quotas.Check(Host(1), QuotaKind::kLinks);
    EXPECT_LE(RetryDelayOf(refused), absl::Seconds(5.1));
  }
}

TEST_F(QuotasTest, ThreadsTogetherPassNoMoreThanTheBucketHolds) {
  constexpr int kThreads = 4, kAsked = 2000;
  Quotas quotas(LinksPerSecond(100), &clock_);
  std::atomic<int> passed = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kAsked; ++i) {
        passed += Ask(quotas, Host(1), 1);
        Ask(quotas, Host(100 + t), 1);
        quotas.Usage();
        quotas.SetLimits(LinksPerSecond(100));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  // The clock stands still. Each thread may be between its question and its
  // charge when the bucket becomes empty.
  EXPECT_GE(passed, 100);
  EXPECT_LT(passed, 100 + kThreads);
  EXPECT_EQ(quotas.Usage().at("anonymous").charged[0], passed + 100 * kThreads);
}

TEST_F(QuotasTest, ChangedLimitsHoldAtOnce) {
  Quotas quotas({}, &clock_);
  EXPECT_TRUE(Ask(quotas, Host(1), 10));
  quotas.SetLimits(LinksPerSecond(1));
  EXPECT_TRUE(Ask(quotas, Host(1), 10));
  EXPECT_FALSE(Ask(quotas, Host(1), 10));
  quotas.SetLimits({});
  EXPECT_TRUE(Ask(quotas, Host(1), 10));
}

TEST_F(QuotasTest, AccountsAreRememberedUpToABoundAndForgottenWhenFull) {
  Quotas quotas(LinksPerSecond(1), &clock_);
  for (uint64_t id = 1; id <= 3 * Quotas::kMostRemembered; ++id) {
    EXPECT_TRUE(Ask(quotas, Host(id), 10));
  }
  EXPECT_EQ(quotas.remembered(), Quotas::kMostRemembered);
  // The newest is still in debt; the oldest was forgotten.
  EXPECT_FALSE(Ask(quotas, Host(3 * Quotas::kMostRemembered), 1));
  EXPECT_TRUE(Ask(quotas, Host(1), 1));
  clock_.Advance(absl::Hours(1));
  for (size_t i = 0; i < Quotas::kMostRemembered; ++i) {
    quotas.Charge(Host(5), QuotaKind::kLinks, 0.1);
  }
  EXPECT_LE(quotas.remembered(), 2);
}

}  // namespace
}  // namespace slice
