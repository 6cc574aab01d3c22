#include "trainer/statistics/sparse_matrix.h"

#include <gtest/gtest.h>

#include "common/random.h"

namespace slice {
namespace {

// About one entry in five is set; rows 0 and 17 are empty, row 5 is full.
SparseMatrix MakeMatrix(uint32_t rows, uint32_t columns) {
  Random random(1);
  SparseMatrix matrix;
  matrix.row_start.push_back(0);
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      if (row == 0 || row == 17) continue;
      if (row != 5 && random.Below(5) != 0) continue;
      matrix.columns.push_back(column);
      matrix.values.push_back(static_cast<float>(random.Uniform() - 0.5));
    }
    matrix.row_start.push_back(matrix.columns.size());
  }
  return matrix;
}

TEST(SparseMatrixTest, ProductEqualsDenseProduct) {
  const SparseMatrix sparse = MakeMatrix(700, 90);
  const TallMatrix dense = RandomMatrix(90, 32, 2, 1);
  TallMatrix product = RandomMatrix(700, 32, 3, 1);  // to be overwritten
  Multiply(sparse, dense, 2, &product);
  for (size_t row = 0; row < 700; ++row) {
    std::vector<double> sums(32);
    for (uint64_t i = sparse.row_start[row]; i < sparse.row_start[row + 1];
         ++i) {
      for (int k = 0; k < 32; ++k) {
        sums[k] += double{sparse.values[i]} * dense.Row(sparse.columns[i])[k];
      }
    }
    for (int k = 0; k < 32; ++k)
      EXPECT_NEAR(product.Row(row)[k], sums[k], 1e-5);
  }
}

}  // namespace
}  // namespace slice
