#include "trainer/report/score_histogram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace slice {
namespace {

using ::testing::ElementsAre;

TEST(OverlapTest, IsTheSharedArea) {
  EXPECT_DOUBLE_EQ(Overlap({0, 1, {5, 5}, {0, 0}}), 0);
  EXPECT_DOUBLE_EQ(Overlap({0, 1, {4, 0}, {0, 9}}), 0);
  EXPECT_DOUBLE_EQ(Overlap({0, 1, {2, 2}, {7, 7}}), 1);
  EXPECT_DOUBLE_EQ(Overlap({0, 1, {3, 1}, {1, 1}}), 0.75);
}

TEST(SplitHistogramTest, ProbabilitiesKeepTheUnitRange) {
  const std::vector<float> values = {0.0f, 0.3f, 0.99f, 1.0f};
  const std::vector<uint8_t> labels = {0, 0, 1, 1};
  const SplitHistogram histogram = MakeSplitHistogram(values, labels, 4);
  EXPECT_EQ(histogram.lower, 0);
  EXPECT_EQ(histogram.upper, 1);
  EXPECT_THAT(histogram.negatives, ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(histogram.positives, ElementsAre(0, 0, 0, 2));
}

TEST(SplitHistogramTest, LogitsSetTheirOwnRange) {
  const std::vector<float> values = {-4.0f, 0.0f, 4.0f};
  const std::vector<uint8_t> labels = {0, 1, 1};
  const SplitHistogram histogram = MakeSplitHistogram(values, labels, 2);
  EXPECT_EQ(histogram.lower, -4);
  EXPECT_EQ(histogram.upper, 4);
  EXPECT_THAT(histogram.negatives, ElementsAre(1, 0));
  EXPECT_THAT(histogram.positives, ElementsAre(0, 2));
}

TEST(SplitHistogramTest, EveryValueIsCounted) {
  const std::vector<float> same(10, 7.0f);
  const std::vector<uint8_t> labels(10, 1);
  const SplitHistogram histogram = MakeSplitHistogram(same, labels, 5);
  EXPECT_EQ(std::accumulate(histogram.positives.begin(),
                            histogram.positives.end(), uint64_t{0}),
            10u);
}

}  // namespace
}  // namespace slice
