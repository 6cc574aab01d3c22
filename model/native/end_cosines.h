// The cosines of tokens with the ends of their context.
#ifndef SLICE_MODEL_NATIVE_END_COSINES_H_
#define SLICE_MODEL_NATIVE_END_COSINES_H_

#include <cstddef>

#include "model/native/strided_rows.h"

namespace slice {

// Writes to `to` [rows, 2] the cosines of the first `dim` floats of each row
// with those of the first row and of the second. A row of zeros has cosine 0.
// REQUIRES: there are two rows at least.
void EndCosines(const InputRows& rows, size_t dim, float* to);

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_END_COSINES_H_
