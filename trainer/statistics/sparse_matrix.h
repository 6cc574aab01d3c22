// A sparse matrix of float32 (compressed sparse rows), and its product with a
// tall matrix.
#ifndef SLICE_TRAINER_STATISTICS_SPARSE_MATRIX_H_
#define SLICE_TRAINER_STATISTICS_SPARSE_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trainer/statistics/tall_matrix.h"

namespace slice {

struct SparseMatrix {
  size_t rows() const { return row_start.size() - 1; }

  std::vector<uint64_t> row_start;  // [rows + 1]
  std::vector<uint32_t> columns;    // ascending within a row
  std::vector<float> values;
};

// product = sparse * dense. Each row of the product is computed by one thread,
// so the result does not depend on the number of threads. REQUIRES:
// product->rows() == sparse.rows(), and product and dense have the same number
// of columns.
void Multiply(const SparseMatrix& sparse, const TallMatrix& dense, int threads,
              TallMatrix* product);

}  // namespace slice

#endif  // SLICE_TRAINER_STATISTICS_SPARSE_MATRIX_H_
