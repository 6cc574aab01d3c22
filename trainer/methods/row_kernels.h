// Inner loops over rows of numbers, compiled for several vector instruction
// sets.
#ifndef SLICE_TRAINER_METHODS_ROW_KERNELS_H_
#define SLICE_TRAINER_METHODS_ROW_KERNELS_H_

#include <cstddef>

#include "graphstore/types.h"

namespace slice {

// Dot products: products[i] = <row, rows[ids[i]]>. All rows have `width`
// numbers.
struct RowProducts {
  const float* row = nullptr;   // [width]
  const float* rows = nullptr;  // [any, width]
  size_t width = 0;
  const NodeId* ids = nullptr;  // [count]
  size_t count = 0;
  float* products = nullptr;  // [count]
};
void MultiplyRows(const RowProducts& task);

// A step of Adagrad (Duchi, Hazan and Singer, JMLR 2011) on one row:
//   squares += gradient^2,  values -= rate * gradient / (sqrt(squares) + 1e-10)
struct AdagradStep {
  float rate = 0;
  const float* gradient = nullptr;  // [width]
  size_t width = 0;
  float* values = nullptr;   // [width]
  float* squares = nullptr;  // [width]
};
void TakeAdagradStep(const AdagradStep& step);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_ROW_KERNELS_H_
