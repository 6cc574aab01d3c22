#include "model/native/native_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "common/random.h"
#include "common/vectors.h"
#include "model/native/aligned_vector.h"

namespace slice {
namespace {

TEST(NativeKernelsTest, GeluIsTheOneByErf) {
  std::vector<float> x;
  for (int i = -2000; i < 2000; ++i) {
    x.push_back(static_cast<float>(i) * 0.01f);
  }
  const std::vector<float> before = x;
  ApplyGelu(x.data(), x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const double value = before[i];
    EXPECT_NEAR(x[i], value / 2 * (1 + std::erf(value / std::sqrt(2.0))),
                1e-6 + 1e-7 * std::abs(value))
        << value;
  }
}

TEST(NativeKernelsTest, TwoDotsAreSumsOfProductsAndTheBias) {
  constexpr size_t kRows = 5, kStride = 48;
  Random random(2);
  const auto draw = [&](size_t count) {
    AlignedVector<float> values(count);
    for (float& value : values) value = float(2 * random.Uniform() - 1);
    return values;
  };
  const AlignedVector<float> from = draw(kRows * kStride);
  const AlignedVector<float> weights = draw(2 * kStride);
  const float bias[] = {0.5f, -2};
  std::vector<float> to(kRows * 3, 1);
  AddTwoDots({.from = {from.data(), kStride, kRows},
              .weights = weights.data(),
              .bias = bias,
              .to = {to.data(), 3}});
  for (size_t row = 0; row < kRows; ++row) {
    for (size_t i = 0; i < 2; ++i) {
      double sum = 1 + bias[i];
      for (size_t k = 0; k < kStride; ++k) {
        sum += double{from[row * kStride + k]} * weights[i * kStride + k];
      }
      EXPECT_NEAR(to[row * 3 + i], sum, 1e-5);
    }
    EXPECT_EQ(to[row * 3 + 2], 1);
  }
}

TEST(NativeKernelsTest, MarksTheColumnsThatVary) {
  constexpr size_t kRows = 4, kWidth = 37;
  std::vector<float> values(kRows * kWidth, 3);
  for (const size_t column : {0, 17, 36}) {
    values[(1 + column % 3) * kWidth + column] = 2;
  }
  std::vector<uint32_t> marks(kWidth);
  MarkVarying(values.data(), kRows, kWidth, marks.data());
  for (size_t i = 0; i < kWidth; ++i) {
    EXPECT_EQ(marks[i] != 0, i == 0 || i == 17 || i == 36) << i;
  }
}

TEST(NativeKernelsTest, ReluKeepsWhatIsAboveZero) {
  std::vector<float> x(32);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) - 16;
  ApplyRelu(x.data(), x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(x[i], i < 16 ? 0 : static_cast<float>(i) - 16);
  }
}

TEST(NativeKernelsTest, NormalizesWithinTheRowAndLeavesZerosBehindIt) {
  for (const size_t size : {1, 12, 16, 33, 64}) {
    const size_t stride = RoundUp(size, 32), rows = 3;
    Random random(size);
    std::vector<float> x(rows * stride), gain(stride), shift(stride);
    for (size_t i = 0; i < size; ++i) {
      gain[i] = static_cast<float>(random.Uniform());
      shift[i] = static_cast<float>(random.Uniform());
      for (size_t row = 0; row < rows; ++row) {
        x[row * stride + i] = static_cast<float>(5 + random.Uniform());
      }
    }
    std::vector<float> y(x.size(), 9);
    NormalizeRows({.from = x.data(),
                   .rows = rows,
                   .size = size,
                   .stride = stride,
                   .gain = gain.data(),
                   .shift = shift.data(),
                   .to = y.data()});
    for (size_t row = 0; row < rows; ++row) {
      double mean = 0, variance = 0;
      for (size_t i = 0; i < size; ++i) mean += x[row * stride + i];
      mean /= static_cast<double>(size);
      for (size_t i = 0; i < size; ++i) {
        variance += std::pow(x[row * stride + i] - mean, 2);
      }
      variance /= static_cast<double>(size);
      for (size_t i = 0; i < stride; ++i) {
        const double expected = (x[row * stride + i] - mean) /
                                    std::sqrt(variance + 1e-5) * gain[i] +
                                shift[i];
        EXPECT_NEAR(y[row * stride + i], i < size ? expected : 0, 1e-4);
      }
    }
  }
}

// Compared with the definition in doubles, for numbers of tokens just below, at
// and above whole vectors.
TEST(NativeKernelsTest, AttentionIsTheSoftmaxOfScoresOverValues) {
  constexpr size_t kHeads = 3, kDim = 10, kStride = 3 * kHeads * kDim;
  for (const size_t tokens : {1, 2, 15, 16, 17, 40}) {
    const size_t width = RoundUp(tokens, kRowPadding);
    const size_t to_stride = RoundUp(kHeads * kDim, kRowPadding) + kRowPadding;
    Random random(tokens);
    std::vector<float> parts(tokens * kStride + kRowPadding);
    std::vector<float> scores(kHeads * tokens * width), across(kDim * width);
    std::vector<float> to(tokens * to_stride + kRowPadding);
    for (float& part : parts) part = static_cast<float>(random.Uniform() - 0.5);
    for (float& score : scores) score = static_cast<float>(random.Uniform());
    const std::vector<float> bias = scores;
    Attention attention;
    attention.tokens = tokens;
    attention.heads = kHeads;
    attention.head_dim = kDim;
    attention.query = parts.data();
    attention.key = parts.data() + kHeads * kDim;
    attention.value = parts.data() + 2 * kHeads * kDim;
    attention.stride = kStride;
    attention.scores = scores.data();
    attention.keys_across = across.data();
    attention.to = to.data();
    attention.to_stride = to_stride;
    Attend(attention);
    for (size_t head = 0; head < kHeads; ++head) {
      for (size_t i = 0; i < tokens; ++i) {
        const size_t row = (head * tokens + i) * width;
        std::vector<double> weights(tokens);
        double total = 0;
        for (size_t j = 0; j < tokens; ++j) {
          double score = bias[row + j];
          for (size_t k = 0; k < kDim; ++k) {
            score += double{parts[i * kStride + head * kDim + k]} *
                     parts[j * kStride + (kHeads + head) * kDim + k];
          }
          total += weights[j] = std::exp(score);
        }
        for (size_t j = 0; j < tokens; ++j) {
          EXPECT_NEAR(scores[row + j], weights[j] / total, 1e-6);
        }
        for (size_t k = 0; k < kDim; ++k) {
          double sum = 0;
          for (size_t j = 0; j < tokens; ++j) {
            sum += weights[j] / total *
                   parts[j * kStride + (2 * kHeads + head) * kDim + k];
          }
          EXPECT_NEAR(to[i * to_stride + head * kDim + k], sum, 1e-6);
        }
      }
    }
  }
}

}  // namespace
}  // namespace slice
