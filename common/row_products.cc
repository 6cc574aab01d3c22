#include "common/row_products.h"

#include "common/vectors.h"

namespace slice {
namespace {

// Computes kRows dot products at once: the independent sums hide the latency of
// each addition.
template <VectorSet kSet, size_t kRows>
SLICE_VECTOR_LOOP void MultiplyTile(const RowProducts& task, size_t first) {
  const float* rows[kRows];
  for (size_t j = 0; j < kRows; ++j) {
    rows[j] = task.rows + task.ids[first + j] * task.width;
  }
  Floats<kSet> sums[kRows] = {};
  size_t k = 0;
  for (; k + kLanes<kSet> <= task.width; k += kLanes<kSet>) {
    const Floats<kSet> value = LoadFloats<kSet>(task.row + k);
#pragma GCC unroll 4
    for (size_t j = 0; j < kRows; ++j) {
      sums[j] += value * LoadFloats<kSet>(rows[j] + k);
    }
  }
  for (size_t j = 0; j < kRows; ++j) {
    float sum = Sum(sums[j]);
    for (size_t rest = k; rest < task.width; ++rest) {
      sum += task.row[rest] * rows[j][rest];
    }
    task.products[first + j] = sum;
  }
}

template <VectorSet kSet>
SLICE_VECTOR_LOOP void MultiplyRowsBody(const RowProducts& task) {
  constexpr size_t kTile = 4;
  size_t i = 0;
  for (; i + kTile <= task.count; i += kTile) {
    MultiplyTile<kSet, kTile>(task, i);
  }
  for (; i < task.count; ++i) MultiplyTile<kSet, 1>(task, i);
}

SLICE_VECTOR_KERNEL(MultiplyRowsKernel, MultiplyRowsBody,
                    (const RowProducts& task), (task))

}  // namespace

void MultiplyRows(const RowProducts& task) { MultiplyRowsKernel(task); }

}  // namespace slice
