#include "context/path_rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "tests/context/two_rules.h"

namespace slice {
namespace {

TEST(PathType, IsTheSameFromItsOtherEndTwice) {
  for (const PathType& path :
       {PathType{3, 0, 0}, PathType{3, -1, 0}, PathType{2, -1, 3}}) {
    EXPECT_NE(Reversed(path), path);
    EXPECT_EQ(Reversed(Reversed(path)), path);
  }
  EXPECT_EQ(Reversed({1, 2, -3}), (PathType{3, -2, -1}));
}

TEST(PathType, MakesRulesOfThreeLinksWhenTwoGoToAndFro) {
  EXPECT_TRUE(IsRulePath(4, {1, 2, 0}));
  EXPECT_TRUE(IsRulePath(4, {5, 2, -2}));
  EXPECT_TRUE(IsRulePath(4, {2, -2, 5}));
  EXPECT_TRUE(IsRulePath(4, {5, -5, 5}));
  EXPECT_FALSE(IsRulePath(4, {2, 2, 5}));
  EXPECT_FALSE(IsRulePath(3, {5, 2, -2}));
  EXPECT_FALSE(IsRulePath(4, {-5, 2, -2}));
}

TEST(PathRules, PutNumbersOfPathsIntoBuckets) {
  const std::vector<size_t> expected = {0, 1, 1, 2, 2, 2, 2, 3};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(PathRules::BucketOf(double(i + 1)), expected[i]) << i + 1;
  }
  EXPECT_EQ(PathRules::BucketOf(1e9), PathRules::kBuckets - 1);
}

TEST(PathRules, ComeBackFromStatistics) {
  GraphStatistics statistics;
  TwoRules().AddTo(statistics);
  const auto read = PathRules::FromStatistics(statistics, 2);
  ASSERT_TRUE(read.ok()) << read.status();
  const std::vector<PathRule> rules((*read)->rules().begin(),
                                    (*read)->rules().end());
  EXPECT_EQ(rules, (std::vector<PathRule>{{0, {-2, 1, 0}}, {0, {1, 2, -2}}}));
  EXPECT_EQ((*read)->confidence(0, Direction::kOut, 1), 0.6f);
  EXPECT_EQ((*read)->confidence(1, Direction::kIn, 4), 0.1f);
  EXPECT_EQ((*read)->Find({0, {1, 2, -2}}), 1u);
  EXPECT_EQ((*read)->Find({1, {1, 2, -2}}), std::nullopt);
  const auto none = PathRules::FromStatistics(GraphStatistics(), 2);
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->has_value());
}

TEST(PathRules, RefuseStatisticsThatMakeNoSense) {
  GraphStatistics statistics;
  TwoRules().AddTo(statistics);
  EXPECT_EQ(PathRules::FromStatistics(statistics, 1).status().code(),
            absl::StatusCode::kDataLoss);
  statistics.Set("path_rules.paths", {{2, 4}, {0, 1, 2, -2, 0, -2, 1, 0}});
  EXPECT_EQ(PathRules::FromStatistics(statistics, 2).status().code(),
            absl::StatusCode::kDataLoss);
  for (const float wrong : {-1.0f, 1e9f, std::nanf("")}) {
    for (const size_t at : {0, 1, 7}) {
      NamedArray paths{{2, 4}, {0, -2, 1, 0, 0, 1, 2, -2}};
      paths.values[at] = at > 0 && wrong < 0 ? -1e9f : wrong;
      statistics.Set("path_rules.paths", std::move(paths));
      EXPECT_EQ(PathRules::FromStatistics(statistics, 2).status().code(),
                absl::StatusCode::kDataLoss)
          << wrong << " at " << at;
    }
  }
  statistics.Set("path_rules.paths", {{1, 4}, {0, 1, 2, -2}});
  EXPECT_EQ(PathRules::FromStatistics(statistics, 2).status().code(),
            absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace slice
