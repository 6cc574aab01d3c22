// Vectors of floats that fill one register of an instruction set: 16 floats for
// AVX-512, 8 for AVX2, 4 for SSE2 and NEON.
//
// They are the compiler's own vector types. Vectors wider than the registers
// also compile, but GCC 12 makes code of them that is slower than code without
// vectors. So every kernel is a template over VectorSet and uses Floats<kSet>.
//
// For .cc files only, inside functions made by SLICE_VECTOR_KERNEL
// (common/vector_variants.h).
#ifndef SLICE_COMMON_VECTORS_H_
#define SLICE_COMMON_VECTORS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/vector_variants.h"

// GCC warns that the calling convention for vectors depends on the instruction
// set. Here vectors are passed only between functions that are always inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace slice {

// Bytes of a register.
constexpr size_t VectorBytes(VectorSet set) {
  switch (set) {
    case VectorSet::kAvx512:
      return 64;
    case VectorSet::kAvx2:
      return 32;
    default:
      return 16;
  }
}

template <typename Number, size_t kBytes>
struct VectorOf {
  typedef Number Type __attribute__((vector_size(kBytes)));
};

template <VectorSet kSet>
using Floats = typename VectorOf<float, VectorBytes(kSet)>::Type;
// Integers as wide as the floats of FloatVector: the type of a comparison of
// two such vectors.
template <typename FloatVector>
using IntsLike = typename VectorOf<int32_t, sizeof(FloatVector)>::Type;

// How many floats a vector holds.
template <VectorSet kSet>
inline constexpr size_t kLanes = VectorBytes(kSet) / sizeof(float);

// The least multiple of `step` that is not below `size`.
constexpr size_t RoundUp(size_t size, size_t step) {
  return (size + step - 1) / step * step;
}

// Loads from any address, aligned or not.
template <VectorSet kSet>
SLICE_VECTOR_LOOP Floats<kSet> LoadFloats(const float* from) {
  Floats<kSet> floats;
  std::memcpy(&floats, from, sizeof(floats));
  return floats;
}

template <typename FloatVector>
SLICE_VECTOR_LOOP void StoreFloats(FloatVector floats, float* to) {
  std::memcpy(to, &floats, sizeof(floats));
}

template <typename FloatVector>
SLICE_VECTOR_LOOP auto LowHalf(FloatVector x) {
  if constexpr (sizeof(x) == 64) {
    return __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7);
  } else {
    return __builtin_shufflevector(x, x, 0, 1, 2, 3);
  }
}

template <typename FloatVector>
SLICE_VECTOR_LOOP auto HighHalf(FloatVector x) {
  if constexpr (sizeof(x) == 64) {
    return __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
  } else {
    return __builtin_shufflevector(x, x, 4, 5, 6, 7);
  }
}

// The sum of all lanes.
template <typename FloatVector>
SLICE_VECTOR_LOOP float Sum(FloatVector x) {
  if constexpr (sizeof(x) > 16) {
    return Sum(LowHalf(x) + HighHalf(x));
  } else {
    return (x[0] + x[2]) + (x[1] + x[3]);
  }
}

// The largest lane.
template <typename FloatVector>
SLICE_VECTOR_LOOP float Max(FloatVector x) {
  if constexpr (sizeof(x) > 16) {
    const auto low = LowHalf(x);
    const auto high = HighHalf(x);
    return Max(low > high ? low : high);
  } else {
    const float first = x[0] > x[2] ? x[0] : x[2];
    const float second = x[1] > x[3] ? x[1] : x[3];
    return first > second ? first : second;
  }
}

// Transposes a square: `rows` holds one vector per lane, and rows become
// columns. Each step is a perfect shuffle of the first half of the rows with
// the second half, which rotates the bits of (row, column) by one.
template <VectorSet kSet>
SLICE_VECTOR_LOOP void Transpose(Floats<kSet>* rows) {
  constexpr size_t kRows = kLanes<kSet>;
#pragma GCC unroll 4
  for (size_t step = 1; step < kRows; step *= 2) {
    Floats<kSet> next[kRows];
#pragma GCC unroll 8
    for (size_t i = 0; i < kRows / 2; ++i) {
      const Floats<kSet> a = rows[i], b = rows[i + kRows / 2];
      if constexpr (kRows == 16) {
        next[2 * i] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19,
                                              4, 20, 5, 21, 6, 22, 7, 23);
        next[2 * i + 1] = __builtin_shufflevector(
            a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      } else if constexpr (kRows == 8) {
        next[2 * i] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
        next[2 * i + 1] =
            __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
      } else {
        next[2 * i] = __builtin_shufflevector(a, b, 0, 4, 1, 5);
        next[2 * i + 1] = __builtin_shufflevector(a, b, 2, 6, 3, 7);
      }
    }
#pragma GCC unroll 16
    for (size_t i = 0; i < kRows; ++i) rows[i] = next[i];
  }
}

}  // namespace slice

#endif  // SLICE_COMMON_VECTORS_H_
