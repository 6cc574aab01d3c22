#include "trainer/statistics/sparse_matrix.h"

#include <algorithm>

#include "common/parallel.h"
#include "common/prefetch.h"
#include "common/vector_variants.h"

namespace slice {
namespace {

constexpr size_t kRowsAtOnce = 256;
constexpr uint64_t kPrefetchAhead = 8;  // entries
constexpr int kFloatsPerCacheLine = 16;

void PrefetchRow(const float* row, int columns) {
  for (int k = 0; k < columns; k += kFloatsPerCacheLine) {
    PrefetchToRead(row + k);
  }
}

SLICE_VECTOR_LOOP void MultiplyRowsBody(const SparseMatrix& sparse,
                                        const TallMatrix& dense, size_t begin,
                                        size_t end, TallMatrix* product) {
  const int columns = dense.columns();
  const uint64_t last = sparse.row_start[end];
  for (size_t row = begin; row < end; ++row) {
    float* const sums = product->Row(row);
    std::fill(sums, sums + columns, 0.0f);
    for (uint64_t i = sparse.row_start[row]; i < sparse.row_start[row + 1];
         ++i) {
      if (i + kPrefetchAhead < last) {
        PrefetchRow(dense.Row(sparse.columns[i + kPrefetchAhead]), columns);
      }
      const float value = sparse.values[i];
      const float* const other = dense.Row(sparse.columns[i]);
      for (int k = 0; k < columns; ++k) sums[k] += value * other[k];
    }
  }
}

SLICE_VECTOR_VARIANTS(MultiplyRows, MultiplyRowsBody,
                      (const SparseMatrix& sparse, const TallMatrix& dense,
                       size_t begin, size_t end, TallMatrix* product),
                      (sparse, dense, begin, end, product))

}  // namespace

void Multiply(const SparseMatrix& sparse, const TallMatrix& dense, int threads,
              TallMatrix* product) {
  ParallelFor(sparse.rows(), kRowsAtOnce, threads,
              [&](size_t begin, size_t end, int) {
                MultiplyRows(sparse, dense, begin, end, product);
              });
}

}  // namespace slice
