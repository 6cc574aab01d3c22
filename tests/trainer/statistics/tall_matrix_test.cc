#include "trainer/statistics/tall_matrix.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slice {
namespace {

double Entry(const SquareMatrix& matrix, int i, int j) { return matrix(i, j); }

void ExpectNear(const SquareMatrix& actual, const SquareMatrix& expected,
                double tolerance) {
  for (int i = 0; i < actual.size; ++i) {
    for (int j = 0; j < actual.size; ++j) {
      EXPECT_NEAR(Entry(actual, i, j), Entry(expected, i, j), tolerance)
          << i << ", " << j;
    }
  }
}

TEST(TallMatrixTest, RandomValuesHaveUnitVarianceAndDoNotRepeat) {
  const TallMatrix matrix = RandomMatrix(5000, 16, /*seed=*/3, 2);
  const SquareMatrix moments = CrossProduct(matrix, matrix, 1);
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 16; ++j) {
      EXPECT_NEAR(moments(i, j) / 5000, i == j ? 1 : 0, 0.1);
    }
  }
}

TEST(TallMatrixTest, CrossProductEqualsPlainSumsForAnyNumberOfThreads) {
  const TallMatrix a = RandomMatrix(5003, 16, 1, 1);
  const TallMatrix b = RandomMatrix(5003, 16, 2, 1);
  SquareMatrix expected(16);
  for (size_t row = 0; row < a.rows(); ++row) {
    for (int i = 0; i < 16; ++i) {
      for (int j = 0; j < 16; ++j) {
        expected(i, j) += double{a.Row(row)[i]} * b.Row(row)[j];
      }
    }
  }
  const SquareMatrix one = CrossProduct(a, b, 1);
  ExpectNear(one, expected, 1e-9);
  EXPECT_EQ(one.values, CrossProduct(a, b, 3).values);
}

TEST(TallMatrixTest, MultiplyRightEqualsPlainSums) {
  TallMatrix matrix = RandomMatrix(37, 16, 1, 1);
  const TallMatrix before = matrix;
  SquareMatrix right(16);
  for (int i = 0; i < 256; ++i) right.values[i] = std::sin(i);
  MultiplyRight(right, 2, &matrix);
  for (size_t row = 0; row < 37; ++row) {
    for (int j = 0; j < 16; ++j) {
      double sum = 0;
      for (int i = 0; i < 16; ++i) sum += before.Row(row)[i] * right(i, j);
      EXPECT_NEAR(matrix.Row(row)[j], sum, 1e-5);
    }
  }
}

TEST(TallMatrixTest, OrthonormalizeKeepsTheSpan) {
  TallMatrix matrix = RandomMatrix(300, 16, 4, 1);
  // Columns of very different lengths, some of them nearly equal.
  for (size_t row = 0; row < 300; ++row) {
    float* const values = matrix.Row(row);
    values[1] = values[0] + 1e-3f * values[1];
    values[2] *= 1e-6f;
  }
  const TallMatrix before = matrix;
  Orthonormalize(2, &matrix);
  SquareMatrix identity(16);
  for (int i = 0; i < 16; ++i) identity(i, i) = 1;
  ExpectNear(CrossProduct(matrix, matrix, 1), identity, 1e-5);
  // Projecting the old columns on the new ones loses nothing.
  const SquareMatrix projected = CrossProduct(matrix, before, 1);
  const SquareMatrix lengths = CrossProduct(before, before, 1);
  for (int j = 0; j < 16; ++j) {
    double sum = 0;
    for (int i = 0; i < 16; ++i) sum += projected(i, j) * projected(i, j);
    EXPECT_NEAR(sum / lengths(j, j), 1, 1e-5) << j;
  }
}

TEST(TallMatrixTest, OrthonormalizeTurnsDependentColumnsIntoZeros) {
  TallMatrix matrix = RandomMatrix(300, 16, 5, 1);
  for (size_t row = 0; row < 300; ++row) {
    float* const values = matrix.Row(row);
    values[3] = 2 * values[1] - values[2];
    values[7] = 0;
  }
  Orthonormalize(1, &matrix);
  const SquareMatrix products = CrossProduct(matrix, matrix, 1);
  for (int i = 0; i < 16; ++i) {
    EXPECT_NEAR(products(i, i), i == 3 || i == 7 ? 0 : 1, 1e-5) << i;
  }
}

TEST(TallMatrixTest, DecomposeSymmetricRebuildsTheMatrix) {
  SquareMatrix matrix(24);
  for (int i = 0; i < 24; ++i) {
    for (int j = 0; j <= i; ++j) {
      matrix(i, j) = matrix(j, i) = std::sin(7.0 * i + 3.0 * j);
    }
  }
  const SymmetricEigen eigen = DecomposeSymmetric(matrix);
  SquareMatrix rebuilt(24), products(24), identity(24);
  for (int i = 0; i < 24; ++i) {
    identity(i, i) = 1;
    for (int j = 0; j < 24; ++j) {
      for (int k = 0; k < 24; ++k) {
        rebuilt(i, j) +=
            eigen.vectors(i, k) * eigen.values[k] * eigen.vectors(j, k);
        products(i, j) += eigen.vectors(k, i) * eigen.vectors(k, j);
      }
    }
  }
  ExpectNear(rebuilt, matrix, 1e-12);
  ExpectNear(products, identity, 1e-12);
}

}  // namespace
}  // namespace slice
