// Products of rows of complex numbers. A row has `dim` floats, which are pairs
// (real, imaginary).
#ifndef SLICE_COMMON_COMPLEX_ROWS_H_
#define SLICE_COMMON_COMPLEX_ROWS_H_

#include <cstddef>

namespace slice {

// to = a b, number by number.
inline void MultiplyComplex(const float* a, const float* b, size_t dim,
                            float* to) {
  for (size_t k = 0; k + 1 < dim; k += 2) {
    to[k] = a[k] * b[k] - a[k + 1] * b[k + 1];
    to[k + 1] = a[k] * b[k + 1] + a[k + 1] * b[k];
  }
}

// to = conj(a) b, number by number.
inline void MultiplyConjugate(const float* a, const float* b, size_t dim,
                              float* to) {
  for (size_t k = 0; k + 1 < dim; k += 2) {
    to[k] = a[k] * b[k] + a[k + 1] * b[k + 1];
    to[k + 1] = a[k] * b[k + 1] - a[k + 1] * b[k];
  }
}

}  // namespace slice

#endif  // SLICE_COMMON_COMPLEX_ROWS_H_
