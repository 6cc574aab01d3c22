// Dot products of one row with many, compiled for several vector instruction
// sets.
#ifndef SLICE_COMMON_ROW_PRODUCTS_H_
#define SLICE_COMMON_ROW_PRODUCTS_H_

#include <cstddef>
#include <cstdint>

namespace slice {

// Dot products: products[i] = <row, rows[ids[i]]>. All rows have `width`
// numbers.
struct RowProducts {
  const float* row = nullptr;   // [width]
  const float* rows = nullptr;  // [any, width]
  size_t width = 0;
  const uint32_t* ids = nullptr;  // [count]
  size_t count = 0;
  float* products = nullptr;  // [count]
};
void MultiplyRows(const RowProducts& task);

}  // namespace slice

#endif  // SLICE_COMMON_ROW_PRODUCTS_H_
