#include "trainer/methods/walks/row_sums.h"

#include "common/vectors.h"

namespace slice {
namespace {

// Columns [begin, begin + kVectors * lanes): their sums stay in registers while
// the rows pass by.
template <VectorSet kSet, size_t kVectors>
SLICE_VECTOR_LOOP void AddColumns(const RowSum& task, size_t begin) {
  Floats<kSet> sums[kVectors];
#pragma GCC unroll 4
  for (size_t j = 0; j < kVectors; ++j) {
    sums[j] = LoadFloats<kSet>(task.to + begin + j * kLanes<kSet>);
  }
  for (size_t i = 0; i < task.count; ++i) {
    const size_t id = task.ids == nullptr ? i : task.ids[i];
    const float* const row = task.rows + id * task.width + begin;
    const float factor = task.factors[i];
#pragma GCC unroll 4
    for (size_t j = 0; j < kVectors; ++j) {
      sums[j] += factor * LoadFloats<kSet>(row + j * kLanes<kSet>);
    }
  }
#pragma GCC unroll 4
  for (size_t j = 0; j < kVectors; ++j) {
    StoreFloats(sums[j], task.to + begin + j * kLanes<kSet>);
  }
}

template <VectorSet kSet>
SLICE_VECTOR_LOOP void AddRowsBody(const RowSum& task) {
  constexpr size_t kVectors = 4;
  size_t k = 0;
  for (; k + kVectors * kLanes<kSet> <= task.width;
       k += kVectors * kLanes<kSet>) {
    AddColumns<kSet, kVectors>(task, k);
  }
  for (; k + kLanes<kSet> <= task.width; k += kLanes<kSet>) {
    AddColumns<kSet, 1>(task, k);
  }
  for (size_t i = 0; k < task.width && i < task.count; ++i) {
    const size_t id = task.ids == nullptr ? i : task.ids[i];
    const float* const row = task.rows + id * task.width;
    for (size_t rest = k; rest < task.width; ++rest) {
      task.to[rest] += task.factors[i] * row[rest];
    }
  }
}

template <VectorSet kSet>
SLICE_VECTOR_LOOP void AddOuterProductBody(const OuterProduct& task) {
  for (size_t i = 0; i < task.rows; ++i) {
    float* const to = task.to + i * task.width;
    const float factor = task.left[i];
    size_t k = 0;
    for (; k + kLanes<kSet> <= task.width; k += kLanes<kSet>) {
      StoreFloats(
          LoadFloats<kSet>(to + k) + factor * LoadFloats<kSet>(task.right + k),
          to + k);
    }
    for (; k < task.width; ++k) to[k] += factor * task.right[k];
  }
}

SLICE_VECTOR_KERNEL(AddRowsKernel, AddRowsBody, (const RowSum& task), (task))
SLICE_VECTOR_KERNEL(AddOuterProductKernel, AddOuterProductBody,
                    (const OuterProduct& task), (task))

}  // namespace

void AddRows(const RowSum& task) { AddRowsKernel(task); }

void AddOuterProduct(const OuterProduct& task) { AddOuterProductKernel(task); }

}  // namespace slice
