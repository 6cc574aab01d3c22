#include "server/graph/awaited_versions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr auto kOk = absl::StatusCode::kOk;
constexpr auto kLate = absl::StatusCode::kDeadlineExceeded;

class AwaitedVersionsTest : public ::testing::Test {
 protected:
  absl::Status Await(int name, uint64_t version, int64_t deadline) {
    return awaited_.Add({.version = version,
                         .deadline = absl::FromUnixSeconds(deadline),
                         .cancelled = [this, name] { return left_ == name; },
                         .ready =
                             [this, name](const absl::Status& status) {
                               ended_[name] = status.code();
                             }});
  }

  AwaitedVersions awaited_;
  int left_ = 0;  // the caller who left
  std::map<int, absl::StatusCode> ended_;
};

TEST_F(AwaitedVersionsTest, EndByVersionOrByDeadline) {
  for (const auto& [name, version, deadline] :
       {std::tuple(1, 5, 100), std::tuple(2, 3, 50), std::tuple(3, 9, 70)}) {
    ASSERT_TRUE(Await(name, version, deadline).ok());
  }
  awaited_.Advance(4);
  EXPECT_THAT(ended_, ElementsAre(Pair(2, kOk)));
  awaited_.Expire(absl::FromUnixSeconds(80));
  EXPECT_THAT(ended_, ElementsAre(Pair(2, kOk), Pair(3, kLate)));
  awaited_.End(absl::UnavailableError("closing"));
  EXPECT_EQ(ended_[1], absl::StatusCode::kUnavailable);
  EXPECT_EQ(awaited_.size(), 0u);
}

// A host that asks for what never comes leaves room for others.
TEST_F(AwaitedVersionsTest, OneHostDoesNotFillThePlaces) {
  const auto add = [&](uint64_t host) {
    return awaited_
        .Add({.version = 9,
              .deadline = absl::InfiniteFuture(),
              .cancelled = [] { return false; },
              .ready = [](const absl::Status&) {},
              .host = host})
        .code();
  };
  size_t taken = 0;
  while (add(1) == kOk) ++taken;
  EXPECT_EQ(taken, AwaitedVersions::kMost / 2);
  EXPECT_EQ(add(2), kOk);
  EXPECT_EQ(add(1), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(add(0), kOk);
}

TEST_F(AwaitedVersionsTest, EndWhenTheCallerLeaves) {
  ASSERT_TRUE(Await(1, 5, 100).ok());
  ASSERT_TRUE(Await(2, 5, 100).ok());
  left_ = 2;
  awaited_.Expire(absl::FromUnixSeconds(1));
  EXPECT_THAT(ended_, ElementsAre(Pair(2, absl::StatusCode::kCancelled)));
}

TEST_F(AwaitedVersionsTest, AreLimited) {
  for (size_t i = 0; i < AwaitedVersions::kMost; ++i) {
    ASSERT_TRUE(Await(1, 5, 100).ok());
  }
  EXPECT_EQ(Await(2, 5, 100).code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(awaited_.size(), AwaitedVersions::kMost);
  awaited_.Advance(5);
  EXPECT_THAT(ended_, ElementsAre(Pair(1, kOk)));
  EXPECT_TRUE(Await(2, 6, 100).ok());
}

}  // namespace
}  // namespace slice
