#include "model/bfloat16_product.h"

#include <algorithm>
#include <cstring>

#include "common/vector_variants.h"
#include "model/vector_math.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace slice {
namespace {

constexpr size_t kPanel = 2 * kLanes;

constexpr size_t Pairs(size_t in) { return (in + 1) / 2; }

}  // namespace

uint16_t ToBfloat16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  bits += 0x7fff + ((bits >> 16) & 1);
  return static_cast<uint16_t>(bits >> 16);
}

AlignedVector<uint16_t> PackBfloat16(std::span<const float> weights, size_t out,
                                     size_t in) {
  const size_t panel_size = Pairs(in) * 2 * kPanel;
  AlignedVector<uint16_t> panels(RoundUp(out, kPanel) / kPanel * panel_size, 0);
  for (size_t column = 0; column < out; ++column) {
    uint16_t* panel = panels.data() + column / kPanel * panel_size;
    for (size_t k = 0; k < in; ++k) {
      panel[(k / 2 * kPanel + column % kPanel) * 2 + k % 2] =
          ToBfloat16(weights[column * in + k]);
    }
  }
  return panels;
}

#if defined(__x86_64__)

namespace {

#define SLICE_BFLOAT16 \
  __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx512bf16")))

// As in packed_matrix.cc: rows whose sums fit the registers, and rows that are
// multiplied with one panel before the next.
constexpr size_t kRowsAtOnce = 12;
constexpr size_t kRowBlock = 48;

// Rows [count, pairs], rounded, with a zero behind an odd end.
SLICE_BFLOAT16 void RoundRows(const Bfloat16Product& p, size_t begin,
                              size_t count, uint16_t* to) {
  const size_t stride = Pairs(p.in) * 2;
  for (size_t row = 0; row < count; ++row) {
    const float* from = p.from + (begin + row) * p.from_stride;
    uint16_t* rounded = to + row * stride;
    for (size_t k = 0; k < p.in; k += kLanes) {
      const size_t left = p.in - k;
      const auto reads =
          static_cast<__mmask16>(left < kLanes ? (1u << left) - 1 : 0xffffu);
      const auto writes = static_cast<__mmask16>(
          left < kLanes ? (1u << Pairs(left) * 2) - 1 : 0xffffu);
      const __m512 floats = _mm512_maskz_loadu_ps(reads, from + k);
      _mm256_mask_storeu_epi16(rounded + k, writes,
                               (__m256i)_mm512_cvtneps_pbh(floats));
    }
  }
}

template <size_t kRows>
SLICE_BFLOAT16 inline __attribute__((always_inline)) void MultiplyRows(
    const Bfloat16Product& p, const uint16_t* from, size_t column, size_t row) {
  const size_t pairs = Pairs(p.in);
  const uint16_t* panel = p.panels + column * pairs * 2;
  __m512 sums[kRows][2];
#pragma GCC unroll 16
  for (size_t i = 0; i < kRows; ++i) {
    sums[i][0] = _mm512_loadu_ps(p.bias + column);
    sums[i][1] = _mm512_loadu_ps(p.bias + column + kLanes);
  }
  for (size_t k = 0; k < pairs; ++k) {
    const auto first = (__m512bh)_mm512_loadu_si512(panel + k * 2 * kPanel);
    const auto second =
        (__m512bh)_mm512_loadu_si512(panel + k * 2 * kPanel + kPanel);
#pragma GCC unroll 16
    for (size_t i = 0; i < kRows; ++i) {
      int pair;
      std::memcpy(&pair, from + (i * pairs + k) * 2, sizeof(pair));
      const auto x = (__m512bh)_mm512_set1_epi32(pair);
      sums[i][0] = _mm512_dpbf16_ps(sums[i][0], first, x);
      sums[i][1] = _mm512_dpbf16_ps(sums[i][1], second, x);
    }
  }
  float* to = p.to + row * p.to_stride + column;
#pragma GCC unroll 16
  for (size_t i = 0; i < kRows; ++i) {
    float* at = to + i * p.to_stride;
    if (p.add) {
      sums[i][0] = _mm512_add_ps(sums[i][0], _mm512_loadu_ps(at));
      sums[i][1] = _mm512_add_ps(sums[i][1], _mm512_loadu_ps(at + kLanes));
    }
    _mm512_storeu_ps(at, sums[i][0]);
    _mm512_storeu_ps(at + kLanes, sums[i][1]);
  }
}

// Fewer than kRows + 1 rows in one go.
template <size_t kRows>
SLICE_BFLOAT16 inline __attribute__((always_inline)) void MultiplyRest(
    const Bfloat16Product& p, const uint16_t* from, size_t column, size_t row,
    size_t count) {
  if constexpr (kRows > 0) {
    if (count == kRows) {
      MultiplyRows<kRows>(p, from, column, row);
    } else {
      MultiplyRest<kRows - 1>(p, from, column, row, count);
    }
  }
}

SLICE_BFLOAT16 void MultiplyPanel(const Bfloat16Product& p,
                                  const uint16_t* from, size_t column,
                                  size_t row, size_t end) {
  const size_t step = kRowsAtOnce * Pairs(p.in) * 2;
  for (; row + kRowsAtOnce <= end; row += kRowsAtOnce, from += step) {
    MultiplyRows<kRowsAtOnce>(p, from, column, row);
  }
  MultiplyRest<kRowsAtOnce - 1>(p, from, column, row, end - row);
}

}  // namespace

bool MachineHasBfloat16Products() {
  return MachineVectorSet() == VectorSet::kAvx512 &&
         __builtin_cpu_supports("avx512bf16");
}

void Multiply(const Bfloat16Product& product) {
  thread_local AlignedVector<uint16_t> rounded;
  rounded.resize(std::max(rounded.size(), kRowBlock * Pairs(product.in) * 2));
  for (size_t row = 0; row < product.rows; row += kRowBlock) {
    const size_t end = std::min(product.rows, row + kRowBlock);
    RoundRows(product, row, end - row, rounded.data());
    for (size_t column = 0; column < product.width; column += kPanel) {
      MultiplyPanel(product, rounded.data(), column, row, end);
    }
  }
}

#else

bool MachineHasBfloat16Products() { return false; }
void Multiply(const Bfloat16Product& /*product*/) {}

#endif

}  // namespace slice
