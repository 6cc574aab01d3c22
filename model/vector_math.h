// Sixteen floats at a time, whatever the machine's vectors are: the compiler
// splits them where they are narrower. For the .cc files of the native network,
// inside functions made by SLICE_VECTOR_KERNEL only.
#ifndef SLICE_MODEL_VECTOR_MATH_H_
#define SLICE_MODEL_VECTOR_MATH_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/vector_variants.h"

// Vectors are passed by value between functions that are always inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slice {

inline constexpr size_t kLanes = 16;
using Floats = float __attribute__((vector_size(64)));
using Ints = int32_t __attribute__((vector_size(64)));

// The least multiple of `step` that is not below `size`.
constexpr size_t RoundUp(size_t size, size_t step) {
  return (size + step - 1) / step * step;
}

SLICE_VECTOR_LOOP Floats LoadFloats(const float* from) {
  Floats floats;
  std::memcpy(&floats, from, sizeof(floats));
  return floats;
}

SLICE_VECTOR_LOOP void StoreFloats(Floats floats, float* to) {
  std::memcpy(to, &floats, sizeof(floats));
}

// The halves and quarters of a vector.
using Floats8 = float __attribute__((vector_size(32)));
using Floats4 = float __attribute__((vector_size(16)));

SLICE_VECTOR_LOOP float Sum(Floats x) {
  const Floats8 a = __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7) +
                    __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
  const Floats4 b = __builtin_shufflevector(a, a, 0, 1, 2, 3) +
                    __builtin_shufflevector(a, a, 4, 5, 6, 7);
  return (b[0] + b[2]) + (b[1] + b[3]);
}

SLICE_VECTOR_LOOP float Max(Floats x) {
  const Floats8 a = __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7);
  const Floats8 b = __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
  const Floats8 c = a > b ? a : b;
  const Floats4 d = __builtin_shufflevector(c, c, 0, 1, 2, 3);
  const Floats4 e = __builtin_shufflevector(c, c, 4, 5, 6, 7);
  const Floats4 f = d > e ? d : e;
  const float first = f[0] > f[1] ? f[0] : f[1];
  const float second = f[2] > f[3] ? f[2] : f[3];
  return first > second ? first : second;
}

// e^x to 2 units in the last place, for x <= 88; 0 below -87. Splits x into
// n ln 2 + r, |r| <= ln 2 / 2, and sums the Taylor series of e^r to r^7.
SLICE_VECTOR_LOOP Floats Exp(Floats x) {
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: the fraction drops out
  const Floats shifted = x * 1.44269504f + kRound;
  const Floats n = shifted - kRound;
  const Floats r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  Floats sum = r * (1.0f / 5040) + 1.0f / 720;
  sum = sum * r + 1.0f / 120;
  sum = sum * r + 1.0f / 24;
  sum = sum * r + 1.0f / 6;
  sum = sum * r + 0.5f;
  sum = sum * r + 1.0f;
  sum = sum * r + 1.0f;
  Ints bits;
  std::memcpy(&bits, &shifted, sizeof(bits));
  bits = (bits - 0x4b400000 + 127) << 23;  // 2^n
  Floats power;
  std::memcpy(&power, &bits, sizeof(power));
  return x < -87.0f ? Floats{} : sum * power;
}

// x/2 (1 + erf(x / sqrt 2)). erf as the rational function of Eigen and XLA,
// within 2e-7.
SLICE_VECTOR_LOOP Floats Gelu(Floats x) {
  Floats z = x * 0.707106781f;
  z = z < -4.0f ? Floats{} - 4.0f : z;
  z = z > 4.0f ? Floats{} + 4.0f : z;
  const Floats square = z * z;
  Floats above = square * -2.72614225801306e-10f + 2.77068142495902e-08f;
  above = above * square - 2.10102402082508e-06f;
  above = above * square - 5.69250639462346e-05f;
  above = above * square - 7.34990630326855e-04f;
  above = above * square - 2.95459980854025e-03f;
  above = above * square - 1.60960333262415e-02f;
  Floats below = square * -1.45660718464996e-05f - 2.13374055278905e-04f;
  below = below * square - 1.68282697438203e-03f;
  below = below * square - 7.37332916720468e-03f;
  below = below * square - 1.42647390514189e-02f;
  const Floats half = x * 0.5f;
  return half + half * (z * above / below);
}

}  // namespace slice

#endif  // SLICE_MODEL_VECTOR_MATH_H_
