#include "client/retry_policy.h"

#include <vector>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "grpcpp/support/status.h"
#include "gtest/gtest.h"
#include "tests/testing/fake_link_server.h"

namespace slice {
namespace {

using grpc::StatusCode;

const grpc::Status kUnavailable(StatusCode::UNAVAILABLE, "down");

TEST(RetryPolicyTest, DoublesTheDelayUpToItsMaximum) {
  RetryPolicy policy;
  policy.max_attempts = 20;
  EXPECT_EQ(policy.DelayAfter(kUnavailable, 1, 0), absl::Milliseconds(100));
  EXPECT_EQ(policy.DelayAfter(kUnavailable, 2, 0), absl::Milliseconds(200));
  EXPECT_EQ(policy.DelayAfter(kUnavailable, 3, 0), absl::Milliseconds(400));
  EXPECT_EQ(policy.DelayAfter(kUnavailable, 19, 0), absl::Seconds(5));
}

TEST(RetryPolicyTest, AddsJitterOnTop) {
  const RetryPolicy policy;
  EXPECT_EQ(policy.DelayAfter(kUnavailable, 1, 0.5), absl::Milliseconds(110));
}

TEST(RetryPolicyTest, StopsAfterTheLastAttempt) {
  const RetryPolicy policy;
  EXPECT_TRUE(policy.DelayAfter(kUnavailable, 3, 0).has_value());
  EXPECT_EQ(policy.DelayAfter(kUnavailable, 4, 0), std::nullopt);
}

TEST(RetryPolicyTest, TriesOnlyWhatMayPass) {
  const RetryPolicy policy;
  EXPECT_TRUE(
      policy.DelayAfter(grpc::Status(StatusCode::RESOURCE_EXHAUSTED, ""), 1, 0)
          .has_value());
  for (const StatusCode code :
       {StatusCode::NOT_FOUND, StatusCode::INVALID_ARGUMENT,
        StatusCode::DEADLINE_EXCEEDED, StatusCode::INTERNAL,
        StatusCode::UNIMPLEMENTED, StatusCode::FAILED_PRECONDITION})
    EXPECT_EQ(policy.DelayAfter(grpc::Status(code, ""), 1, 0), std::nullopt);
}

// UNAVAILABLE may have been done; RESOURCE_EXHAUSTED was not.
TEST(RetryPolicyTest, WhatMayNotBeRepeatedIsTriedAgainOnlyWhereNothingWasDone) {
  RetryPolicy policy;
  policy.repeatable = false;
  EXPECT_EQ(policy.DelayAfter(
                grpc::Status(grpc::StatusCode::UNAVAILABLE, "gone"), 1, 0),
            std::nullopt);
  EXPECT_TRUE(
      policy
          .DelayAfter(
              grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "full"), 1, 0)
          .has_value());
}

TEST(RetryPolicyTest, NeverUndercutsTheServersDelay) {
  const RetryPolicy policy;
  const grpc::Status full =
      RetryAfter(StatusCode::RESOURCE_EXHAUSTED, absl::Milliseconds(7250));
  EXPECT_EQ(ServerRetryDelay(full), absl::Milliseconds(7250));
  EXPECT_EQ(policy.DelayAfter(full, 1, 0), absl::Milliseconds(7250));
  const grpc::Status soon =
      RetryAfter(StatusCode::RESOURCE_EXHAUSTED, absl::Milliseconds(1));
  EXPECT_EQ(policy.DelayAfter(soon, 1, 0), absl::Milliseconds(100));
}

TEST(RetryPolicyTest, IsMorePatientWithAServerThatNamesADelay) {
  const RetryPolicy policy;
  const grpc::Status full =
      RetryAfter(StatusCode::RESOURCE_EXHAUSTED, absl::Milliseconds(1));
  EXPECT_TRUE(policy.DelayAfter(full, 9, 0).has_value());
  EXPECT_EQ(policy.DelayAfter(full, 10, 0), std::nullopt);
}

TEST(RetryPolicyTest, IgnoresDetailsThatAreNoStatus) {
  EXPECT_EQ(ServerRetryDelay(
                grpc::Status(StatusCode::UNAVAILABLE, "x", "\xFF\xFF\xFF")),
            std::nullopt);
}

TEST(RunWithRetriesTest, ReturnsTheFirstSuccess) {
  int tries = 0;
  std::vector<absl::Duration> slept;
  const grpc::Status status = RunWithRetries(
      RetryPolicy{}, absl::InfiniteFuture(),
      [&](absl::Duration delay) { slept.push_back(delay); },
      [&] { return ++tries < 3 ? kUnavailable : grpc::Status::OK; });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(tries, 3);
  ASSERT_EQ(slept.size(), 2);
  EXPECT_GE(slept[1], absl::Milliseconds(200));
  EXPECT_LE(slept[1], absl::Milliseconds(240));
}

TEST(RunWithRetriesTest, ReturnsTheLastFailure) {
  int tries = 0;
  const grpc::Status status = RunWithRetries(
      RetryPolicy{}, absl::InfiniteFuture(), [](auto) {},
      [&] {
        ++tries;
        return kUnavailable;
      });
  EXPECT_EQ(status.error_code(), StatusCode::UNAVAILABLE);
  EXPECT_EQ(tries, 4);
}

TEST(RunWithRetriesTest, DoesNotWaitPastTheDeadline) {
  int tries = 0;
  RunWithRetries(
      RetryPolicy{}, absl::Now() + absl::Milliseconds(50),
      [](auto) { ADD_FAILURE() << "slept"; },
      [&] {
        ++tries;
        return kUnavailable;
      });
  EXPECT_EQ(tries, 1);
}

}  // namespace
}  // namespace slice
