// Weighted sums of rows and outer products, compiled for several vector
// instruction sets.
#ifndef SLICE_TRAINER_METHODS_WALKS_ROW_SUMS_H_
#define SLICE_TRAINER_METHODS_WALKS_ROW_SUMS_H_

#include <cstddef>
#include <cstdint>

namespace slice {

// to += sum over i of factors[i] * rows[ids[i]]. All rows have `width` numbers.
struct RowSum {
  const float* factors = nullptr;  // [count]
  const uint32_t* ids = nullptr;   // [count]; null: 0, 1, 2, …
  size_t count = 0;
  const float* rows = nullptr;  // [any, width]
  size_t width = 0;
  float* to = nullptr;  // [width]
};
void AddRows(const RowSum& task);

// to[i] += left[i] * right, for each of the `rows` rows of `to`.
struct OuterProduct {
  const float* left = nullptr;  // [rows]
  size_t rows = 0;
  const float* right = nullptr;  // [width]
  size_t width = 0;
  float* to = nullptr;  // [rows, width]
};
void AddOuterProduct(const OuterProduct& task);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_ROW_SUMS_H_
