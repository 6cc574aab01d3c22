#include "trainer/learning/learning_rate.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace slice {
namespace {

// Cuts chunk after chunk into batches.
int64_t CountSteps(uint64_t items, uint64_t chunk, uint64_t batch) {
  int64_t steps = 0;
  for (uint64_t begin = 0; begin < items; begin += chunk) {
    const uint64_t count = std::min(chunk, items - begin);
    for (uint64_t at = 0; at < count; at += batch) ++steps;
  }
  return steps;
}

TEST(LearningRateTest, NoBatchCrossesTwoChunks) {
  for (const uint64_t items : {0, 1, 7, 64, 65, 200, 1000}) {
    for (const uint64_t chunk : {1, 8, 64, 100, 5000}) {
      for (const uint64_t batch : {1, 3, 8, 64, 70, 10000}) {
        EXPECT_EQ(StepsOfPass(items, chunk, batch),
                  CountSteps(items, chunk, batch))
            << items << " " << chunk << " " << batch;
      }
    }
  }
}

TEST(LearningRateTest, TheRateRisesToItsPeakAndFallsToZero) {
  EXPECT_NEAR(OneCycleRate(0.5, 0, 100), 0.02, 1e-12);
  EXPECT_NEAR(OneCycleRate(0.5, 10, 100), 0.5, 1e-12);
  EXPECT_NEAR(OneCycleRate(0.5, 55, 100), 0.25, 1e-12);
  EXPECT_NEAR(OneCycleRate(0.5, 100, 100), 0, 1e-12);
}

}  // namespace
}  // namespace slice
