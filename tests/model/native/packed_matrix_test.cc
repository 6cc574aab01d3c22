#include "model/native/packed_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "common/random.h"
#include "model/native/bfloat16_product.h"

namespace slice {
namespace {

struct Shape {
  size_t rows, in, out;
};

std::vector<float> RandomFloats(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) {
    value = static_cast<float>(2 * random.Uniform() - 1);
  }
  return values;
}

float Rounded(float value) {
  const uint32_t bits = uint32_t{ToBfloat16(value)} << 16;
  float rounded;
  std::memcpy(&rounded, &bits, sizeof(rounded));
  return rounded;
}

class PackedMatrixTest : public testing::TestWithParam<Shape> {
 protected:
  const Shape shape_ = GetParam();
  const size_t from_stride_ = shape_.in + 3;
  const std::vector<float> weights_ = RandomFloats(shape_.out * shape_.in, 1);
  const std::vector<float> bias_ = RandomFloats(shape_.out, 2);
  const std::vector<float> from_ = RandomFloats(shape_.rows * from_stride_, 3);
  const PackedMatrix matrix_ =
      PackedMatrix(weights_, bias_, shape_.out, shape_.in);
  const size_t to_stride_ = matrix_.width() + 5;

  InputRows Rows(const std::vector<float>& values) const {
    return {values.data(), from_stride_, shape_.rows};
  }

  double Expected(size_t row, size_t column) const {
    double sum = bias_[column];
    for (size_t k = 0; k < shape_.in; ++k) {
      sum += double{weights_[column * shape_.in + k]} *
             from_[row * from_stride_ + k];
    }
    return sum;
  }
};

TEST_P(PackedMatrixTest, MultipliesLikeTheSumInDoubles) {
  std::vector<float> to(shape_.rows * to_stride_, 7);
  matrix_.Multiply(Rows(from_), {to.data(), to_stride_});
  for (size_t row = 0; row < shape_.rows; ++row) {
    for (size_t column = 0; column < to_stride_; ++column) {
      const float value = to[row * to_stride_ + column];
      if (column < shape_.out) {
        EXPECT_NEAR(value, Expected(row, column), 1e-5);
      } else {  // the padding is zero; the floats behind it are not written
        EXPECT_EQ(value, column < matrix_.width() ? 0 : 7);
      }
    }
  }
}

TEST_P(PackedMatrixTest, AddsToWhatIsThere) {
  std::vector<float> to = RandomFloats(shape_.rows * to_stride_, 4);
  const std::vector<float> before = to;
  matrix_.MultiplyAdd(Rows(from_), {to.data(), to_stride_});
  for (size_t row = 0; row < shape_.rows; ++row) {
    for (size_t column = 0; column < shape_.out; ++column) {
      const size_t at = row * to_stride_ + column;
      EXPECT_NEAR(to[at], before[at] + Expected(row, column), 1e-5);
    }
  }
}

TEST_P(PackedMatrixTest, MultipliesSomeColumnsAlone) {
  std::vector<uint32_t> columns;
  std::vector<float> masked = from_;
  for (size_t k = 0; k < shape_.in; ++k) {
    if (k % 3 != 1) {
      columns.push_back(static_cast<uint32_t>(k));
      continue;
    }
    for (size_t row = 0; row < shape_.rows; ++row) {
      masked[row * from_stride_ + k] = 0;
    }
  }
  std::vector<float> expected(shape_.rows * to_stride_), to(expected);
  matrix_.Multiply(Rows(masked), {expected.data(), to_stride_});
  std::vector<float> base(matrix_.width());
  std::copy(bias_.begin(), bias_.end(), base.begin());
  matrix_.MultiplyColumns(columns, base.data(), Rows(from_),
                          {to.data(), to_stride_});
  for (size_t i = 0; i < to.size(); ++i) EXPECT_NEAR(to[i], expected[i], 1e-5);
}

// Weights and rows are rounded; products and sums are not.
TEST_P(PackedMatrixTest, OfBfloat16MultipliesLikeTheSumOfTheRounded) {
  const PackedMatrix matrix(weights_, bias_, shape_.out, shape_.in,
                            WeightFormat::kBfloat16);
  ASSERT_EQ(matrix.width(), matrix_.width());
  std::vector<float> to(shape_.rows * to_stride_, 7), sums = to;
  matrix.Multiply(Rows(from_), {to.data(), to_stride_});
  matrix.MultiplyAdd(Rows(from_), {sums.data(), to_stride_});
  for (size_t row = 0; row < shape_.rows; ++row) {
    for (size_t column = 0; column < to_stride_; ++column) {
      const size_t at = row * to_stride_ + column;
      if (column >= shape_.out) {
        EXPECT_EQ(to[at], column < matrix.width() ? 0 : 7);
        EXPECT_EQ(sums[at], 7);
        continue;
      }
      double expected = bias_[column];
      for (size_t k = 0; k < shape_.in; ++k) {
        expected += double{Rounded(weights_[column * shape_.in + k])} *
                    Rounded(from_[row * from_stride_ + k]);
      }
      EXPECT_NEAR(to[at], expected, 1e-5);
      EXPECT_NEAR(sums[at], 7 + expected, 1e-5);
    }
  }
}

TEST(Bfloat16Test, RoundsToNearestWithTiesToEven) {
  EXPECT_EQ(ToBfloat16(1.0f), 0x3f80);
  EXPECT_EQ(ToBfloat16(-2.0f), 0xc000);
  EXPECT_EQ(ToBfloat16(1.0f + 0x1p-8f), 0x3f80);      // a tie
  EXPECT_EQ(ToBfloat16(1.0f + 3 * 0x1p-8f), 0x3f82);  // a tie
  EXPECT_EQ(ToBfloat16(1.0f + 0x1p-8f + 0x1p-20f), 0x3f81);
}

INSTANTIATE_TEST_SUITE_P(Shapes, PackedMatrixTest,
                         testing::Values(Shape{1, 1, 1}, Shape{0, 4, 4},
                                         Shape{5, 7, 3}, Shape{11, 49, 31},
                                         Shape{12, 16, 32}, Shape{13, 17, 33},
                                         Shape{49, 64, 96},
                                         Shape{100, 33, 65}));

}  // namespace
}  // namespace slice
