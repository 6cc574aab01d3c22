#include "trainer/methods/walks/row_sums.h"

#include <vector>

#include "common/random.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

std::vector<float> Numbers(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<float> numbers(count);
  for (float& number : numbers) {
    number = static_cast<float>(random.Uniform() - 0.5);
  }
  return numbers;
}

// The width, around the sizes of vectors.
class RowSumsTest : public ::testing::TestWithParam<size_t> {};

TEST_P(RowSumsTest, SumsRowsByTheirFactors) {
  const size_t width = GetParam();
  const std::vector<float> rows = Numbers(5 * width, 1),
                           start = Numbers(width, 2);
  const std::vector<float> factors = {0.5f, -2, 3};
  const std::vector<uint32_t> ids = {4, 0, 4}, counting = {0, 1, 2};
  for (const uint32_t* given :
       {ids.data(), static_cast<const uint32_t*>(nullptr)}) {
    const uint32_t* const expected = given == nullptr ? counting.data() : given;
    std::vector<float> sum = start;
    AddRows({factors.data(), given, 3, rows.data(), width, sum.data()});
    for (size_t k = 0; k < width; ++k) {
      float by_hand = start[k];
      for (size_t i = 0; i < 3; ++i) {
        by_hand += factors[i] * rows[expected[i] * width + k];
      }
      EXPECT_NEAR(sum[k], by_hand, 1e-5) << k;
    }
  }
}

TEST_P(RowSumsTest, AddsAnOuterProduct) {
  const size_t width = GetParam();
  const std::vector<float> left = Numbers(3, 3), right = Numbers(width, 4);
  const std::vector<float> start = Numbers(3 * width, 5);
  std::vector<float> sum = start;
  AddOuterProduct({left.data(), 3, right.data(), width, sum.data()});
  for (size_t i = 0; i < sum.size(); ++i) {
    EXPECT_NEAR(sum[i], start[i] + left[i / width] * right[i % width], 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, RowSumsTest,
                         ::testing::Values(1, 3, 4, 7, 8, 16, 17, 63, 64, 200));

}  // namespace
}  // namespace slice
