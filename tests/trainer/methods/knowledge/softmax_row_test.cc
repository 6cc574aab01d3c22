#include "trainer/methods/knowledge/softmax_row.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace slice {
namespace {

// The power of an answer can be too small for a float beside that of another
// answer. Its loss is finite all the same, whether it is a rival or not.
TEST(SoftmaxRowTest, AnAnswerFarBelowAnotherOneHasAFiniteLoss) {
  for (const size_t rivals : {2u, 0u}) {
    std::vector<float> scores = {-20, -120, 100};
    const std::vector<uint32_t> answers = {0, 2};
    SoftmaxRow row;
    row.floats = scores.data();
    row.size = scores.size();
    row.rivals = rivals;
    row.answers = answers;
    std::vector<float> buffer;
    EXPECT_NEAR(SoftmaxLossOfRow(row, buffer), 0, 1e-6) << rivals;
    for (const float slope : scores) EXPECT_NEAR(slope, 0, 1e-6) << rivals;
  }
}

}  // namespace
}  // namespace slice
