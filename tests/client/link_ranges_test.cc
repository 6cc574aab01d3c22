#include "client/link_ranges.h"

#include <string>
#include <utility>

#include "gtest/gtest.h"

namespace slice {
namespace {

constexpr absl::Duration kQuick = absl::Milliseconds(1);

LinkRanges::Options Options(size_t links, size_t most) {
  LinkRanges::Options options;
  options.links = links;
  options.most = most;
  options.max_ahead = links;
  options.max_lost = 3;
  options.max_time = absl::Seconds(30);
  return options;
}

ScoredLinks Answer(size_t count) {
  ScoredLinks scored;
  scored.links.resize(count);
  scored.from = {"toy", 7};
  return scored;
}

// The range that Take gives, which must be there.
LinkRange Taken(LinkRanges& ranges) {
  LinkRange range;
  EXPECT_TRUE(ranges.Take(&range));
  return range;
}

void Expect(const LinkRange& range, size_t first, size_t count) {
  EXPECT_EQ(range.first, first);
  EXPECT_EQ(range.count, count);
}

TEST(LinkRangesTest, HandsOutAllLinksInPieces) {
  LinkRanges ranges(Options(10, 4));
  Expect(Taken(ranges), 0, 4);
  Expect(Taken(ranges), 4, 4);
  Expect(Taken(ranges), 8, 2);
}

TEST(LinkRangesTest, GivesAnswersInOrder) {
  LinkRanges ranges(Options(6, 3));
  const LinkRange first = Taken(ranges), second = Taken(ranges);
  ranges.Put(second, Answer(3), kQuick);
  ranges.Put(first, absl::NotFoundError("no such model"), kQuick);
  const LinkRanges::News news = ranges.Next();
  ASSERT_TRUE(news.answer.has_value());
  EXPECT_EQ(news.answer->status(), absl::NotFoundError("no such model"));
}

TEST(LinkRangesTest, WhatWasTooMuchComesBackInHalves) {
  for (const absl::Status& status : {absl::DeadlineExceededError("late"),
                                     absl::ResourceExhaustedError("full")}) {
    LinkRanges ranges(Options(16, 8));
    const LinkRange first = Taken(ranges), second = Taken(ranges);
    ranges.Put(second, status, kQuick);
    ranges.Put(first, status, kQuick);
    const LinkRanges::News news = ranges.Next();
    EXPECT_EQ(news.size, 4);
    EXPECT_FALSE(news.answer.has_value());
    for (const size_t at : {0, 4, 8, 12}) Expect(Taken(ranges), at, 4);
  }
}

TEST(LinkRangesTest, ASingleLinkThatIsTooMuchIsAnsweredSo) {
  LinkRanges ranges(Options(2, 1));
  const LinkRange first = Taken(ranges), second = Taken(ranges);
  ranges.Put(first, Answer(1), kQuick);
  ranges.Put(second, absl::DeadlineExceededError("late"), kQuick);
  EXPECT_TRUE((*ranges.Next().answer)->links[0].status.ok());
  const LinkRanges::News news = ranges.Next();
  ASSERT_TRUE(news.answer->ok()) << news.answer->status();
  EXPECT_EQ((*news.answer)->links[0].status,
            absl::DeadlineExceededError("late"));
  EXPECT_EQ((*news.answer)->from.bundle_id, "toy");
  LinkRange range;
  EXPECT_FALSE(ranges.Take(&range));
}

TEST(LinkRangesTest, TooManyLostLinksInARowEndIt) {
  LinkRanges ranges(Options(7, 1));
  const auto end = [&](absl::StatusOr<ScoredLinks> answer) {
    ranges.Put(Taken(ranges), std::move(answer), kQuick);
    return *ranges.Next().answer;
  };
  const absl::Status late = absl::DeadlineExceededError("late");
  EXPECT_TRUE(end(late).ok());
  EXPECT_TRUE(end(late).ok());
  EXPECT_TRUE(end(Answer(1)).ok());
  EXPECT_TRUE(end(late).ok());
  EXPECT_TRUE(end(late).ok());
  EXPECT_EQ(end(late).status(),
            absl::DeadlineExceededError(
                "late (3 calls in a row, each for a single link, ended like "
                "this)"));
}

TEST(LinkRangesTest, SizeGrowsBackOnlyAfterQuickCalls) {
  LinkRanges ranges(Options(100, 8));
  ranges.Put(Taken(ranges), absl::DeadlineExceededError("late"), kQuick);
  Expect(Taken(ranges), 0, 4);
  ranges.Put({0, 4}, Answer(4), absl::Seconds(5));
  Expect(Taken(ranges), 4, 4);
  ranges.Put({4, 4}, Answer(4), kQuick);
  Expect(Taken(ranges), 8, 8);
}

TEST(LinkRangesTest, StopEndsTheCallingThreads) {
  LinkRanges ranges(Options(10, 4));
  ranges.Stop();
  LinkRange range;
  EXPECT_FALSE(ranges.Take(&range));
}

}  // namespace
}  // namespace slice
