#include "trainer/evaluation/paired_bootstrap.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "trainer/metrics.h"

namespace slice {
namespace {

TEST(PairedBootstrapTest, ADrawIsAsLargeAsTheRows) {
  Random random(1);
  DrawnRows drawn(1000);
  DrawRows(random, drawn);
  EXPECT_EQ(std::accumulate(drawn.begin(), drawn.end(), 0), 1000);
  // A row is left out of a draw with a chance of (1 - 1/1000)^1000, about 1/e.
  EXPECT_NEAR(std::count(drawn.begin(), drawn.end(), 0), 368, 45);
}

TEST(PairedBootstrapTest, EachRowOnceGivesTheAurocOfMetrics) {
  Random random(2);
  std::vector<float> scores;
  std::vector<uint8_t> labels;
  std::vector<uint32_t> rows;
  for (uint32_t i = 0; i < 300; ++i) {
    labels.push_back(i % 2);
    scores.push_back(static_cast<float>(random.Below(20) + 5 * (i % 2)));
    rows.push_back(i / 2);
  }
  const SortedLinks sorted(scores, labels, rows);
  EXPECT_NEAR(sorted.Auroc(DrawnRows(150, 1)), Auroc(scores, labels), 1e-12);
}

TEST(PairedBootstrapTest, ARowDrawnTwiceCountsTwice) {
  // Two positives and a non-link between them.
  const SortedLinks sorted(std::vector<float>{3, 2, 1},
                           std::vector<uint8_t>{1, 0, 1},
                           std::vector<uint32_t>{0, 1, 2});
  EXPECT_DOUBLE_EQ(sorted.Auroc({1, 1, 1}), 0.5);
  EXPECT_DOUBLE_EQ(sorted.Auroc({3, 1, 1}), 0.75);
  EXPECT_DOUBLE_EQ(sorted.Auroc({1, 0, 1}), 0.5);  // no non-link
}

}  // namespace
}  // namespace slice
