// Mathematical functions of vectors of floats (common/vectors.h). Include this
// header in .cc files only, because its functions are compiled for the
// instruction set of the SLICE_VECTOR_KERNEL around them.
#ifndef SLICE_COMMON_VECTOR_MATH_H_
#define SLICE_COMMON_VECTOR_MATH_H_

#include <cstring>

#include "common/vectors.h"

namespace slice {

// e^x for x <= 88, exact to 2 units in the last place; 0 for x < -87. Splits x
// into n ln 2 + r with |r| <= ln 2 / 2, and sums the Taylor series of e^r to
// r^7.
template <typename FloatVector>
SLICE_VECTOR_LOOP FloatVector Exp(FloatVector x) {
  constexpr float kRound =
      12582912.0f;  // 1.5 * 2^23: adding it rounds to an int
  const FloatVector shifted = x * 1.44269504f + kRound;
  const FloatVector n = shifted - kRound;
  const FloatVector r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  FloatVector sum = r * (1.0f / 5040) + 1.0f / 720;
  sum = sum * r + 1.0f / 120;
  sum = sum * r + 1.0f / 24;
  sum = sum * r + 1.0f / 6;
  sum = sum * r + 0.5f;
  sum = sum * r + 1.0f;
  sum = sum * r + 1.0f;
  IntsLike<FloatVector> bits;
  std::memcpy(&bits, &shifted, sizeof(bits));
  bits = (bits - 0x4b400000 + 127) << 23;  // 2^n
  FloatVector power;
  std::memcpy(&power, &bits, sizeof(power));
  return x < -87.0f ? FloatVector{} : sum * power;
}

// x/2 (1 + erf(x / sqrt 2)). erf is the rational approximation that Eigen and
// XLA use, exact to 2e-7.
template <typename FloatVector>
SLICE_VECTOR_LOOP FloatVector Gelu(FloatVector x) {
  FloatVector z = x * 0.707106781f;
  z = z < -4.0f ? FloatVector{} - 4.0f : z;
  z = z > 4.0f ? FloatVector{} + 4.0f : z;
  const FloatVector square = z * z;
  FloatVector above = square * -2.72614225801306e-10f + 2.77068142495902e-08f;
  above = above * square - 2.10102402082508e-06f;
  above = above * square - 5.69250639462346e-05f;
  above = above * square - 7.34990630326855e-04f;
  above = above * square - 2.95459980854025e-03f;
  above = above * square - 1.60960333262415e-02f;
  FloatVector below = square * -1.45660718464996e-05f - 2.13374055278905e-04f;
  below = below * square - 1.68282697438203e-03f;
  below = below * square - 7.37332916720468e-03f;
  below = below * square - 1.42647390514189e-02f;
  const FloatVector half = x * 0.5f;
  return half + half * (z * above / below);
}

}  // namespace slice

#endif  // SLICE_COMMON_VECTOR_MATH_H_
