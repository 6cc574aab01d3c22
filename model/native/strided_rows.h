// Rows of floats in memory.
#ifndef SLICE_MODEL_NATIVE_STRIDED_ROWS_H_
#define SLICE_MODEL_NATIVE_STRIDED_ROWS_H_

#include <cstddef>

namespace slice {

// `count` rows, each `stride` floats after the one before.
struct InputRows {
  const float* first = nullptr;
  size_t stride = 0;
  size_t count = 0;
};

// Rows to be written, one for each row of the input.
struct OutputRows {
  float* first = nullptr;
  size_t stride = 0;
};

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_STRIDED_ROWS_H_
