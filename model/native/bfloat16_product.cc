// A panel holds pairs of neighbouring inputs side by side, [pairs of in,
// columns, 2], the layout that the instruction of AVX-512 BF16 reads. A product
// goes over the rows in blocks:
//   1. Round the rows of a block to bfloat16 (RoundRows), padded to whole
//      pairs.
//   2. Multiply the block with one panel after the other, in tiles of rows
//      whose sums stay in registers (model/native/product_tile.h).
// On a processor without the instruction the rounded rows are kept as floats
// (RoundRowsWidened), and the weights are widened in registers: a bfloat16 is
// the upper half of a float, so a shift and a mask turn one vector of pairs
// into two vectors of floats. Both ways round to nearest, ties to even.
#include "model/native/bfloat16_product.h"

#include <algorithm>
#include <cstring>

#include "model/native/product_tile.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace slice {
namespace {

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
  const size_t columns = MachinePanelColumns();
  const size_t panel_size = Pairs(in) * 2 * columns;
  AlignedVector<uint16_t> panels(PaddedColumns(out) / columns * panel_size, 0);
  for (size_t column = 0; column < out; ++column) {
    uint16_t* panel = panels.data() + column / columns * panel_size;
    for (size_t k = 0; k < in; ++k) {
      panel[(k / 2 * columns + column % columns) * 2 + k % 2] =
          ToBfloat16(weights[column * in + k]);
    }
  }
  return panels;
}

namespace {

// Rounds the rows [begin, begin + count) to bfloat16 and writes them to `to`
// [count, pairs, 2], as floats. A row of odd length gets a zero at its end.
void RoundRowsWidened(const Bfloat16Product& p, size_t begin, size_t count,
                      float* to) {
  const size_t stride = Pairs(p.in) * 2;
  for (size_t row = 0; row < count; ++row) {
    const float* from = p.from + (begin + row) * p.from_stride;
    float* rounded = to + row * stride;
    for (size_t k = 0; k < p.in; ++k) {
      const uint32_t bits = uint32_t{ToBfloat16(from[k])} << 16;
      std::memcpy(rounded + k, &bits, sizeof(bits));
    }
    if (stride > p.in) rounded[p.in] = 0;
  }
}

// Multiplies the rows [row, row + kRows) with the panel that begins at
// `column`, as one tile. The rounded rows begin at `from`.
template <VectorSet kSet, size_t kRows>
SLICE_VECTOR_LOOP void MultiplyWidened(const Bfloat16Product& p,
                                       const float* from, size_t column,
                                       size_t row) {
  using Vector = Floats<kSet>;
  using Pair = IntsLike<Vector>;
  constexpr size_t kVectors = TileOf(kSet).vectors;
  const size_t pairs = Pairs(p.in);
  const uint16_t* panel = p.panels + column * pairs * 2;
  Vector sums[kRows][kVectors];
#pragma GCC unroll 16
  for (size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (size_t v = 0; v < kVectors; ++v) {
      sums[r][v] = LoadFloats<kSet>(p.bias + column + v * kLanes<kSet>);
    }
  }
  for (size_t k = 0; k < pairs; ++k, panel += 2 * PanelColumns(kSet)) {
#pragma GCC unroll 4
    for (size_t v = 0; v < kVectors; ++v) {
      Pair pair;
      std::memcpy(&pair, panel + 2 * v * kLanes<kSet>, sizeof(pair));
      const Pair upper = pair << 16;
      const Pair lower = pair & static_cast<int32_t>(0xffff0000);
      Vector first, second;
      std::memcpy(&first, &upper, sizeof(first));
      std::memcpy(&second, &lower, sizeof(second));
#pragma GCC unroll 16
      for (size_t r = 0; r < kRows; ++r) {
        const float* x = from + (r * pairs + k) * 2;
        sums[r][v] += first * x[0];
        sums[r][v] += second * x[1];
      }
    }
  }
  float* to = p.to + row * p.to_stride + column;
#pragma GCC unroll 16
  for (size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (size_t v = 0; v < kVectors; ++v) {
      float* at = to + r * p.to_stride + v * kLanes<kSet>;
      if (p.add) sums[r][v] += LoadFloats<kSet>(at);
      StoreFloats(sums[r][v], at);
    }
  }
}

// Multiplies the rows [row, end) with the panel that begins at `column`. The
// rounded rows begin at `from`.
template <VectorSet kSet>
SLICE_VECTOR_LOOP void WidenedPanelBody(const Bfloat16Product& p,
                                        const float* from, size_t column,
                                        size_t row, size_t end) {
  constexpr size_t kRows = TileOf(kSet).rows;
  const size_t stride = Pairs(p.in) * 2;
  for (; row + kRows <= end; row += kRows, from += kRows * stride) {
    MultiplyWidened<kSet, kRows>(p, from, column, row);
  }
  for (; row < end; ++row, from += stride) {
    MultiplyWidened<kSet, 1>(p, from, column, row);
  }
}
SLICE_VECTOR_KERNEL(MultiplyWidenedPanel, WidenedPanelBody,
                    (const Bfloat16Product& p, const float* from, size_t column,
                     size_t row, size_t end),
                    (p, from, column, row, end))

#if defined(__x86_64__)

#define SLICE_BFLOAT16 \
  __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx512bf16")))

constexpr size_t kFloats = kLanes<VectorSet::kAvx512>;
constexpr size_t kPanel = PanelColumns(VectorSet::kAvx512);
constexpr size_t kRowsAtOnce = TileOf(VectorSet::kAvx512).rows;

// Rounds the rows [begin, begin + count) to bfloat16 and writes them to `to`
// [count, pairs, 2]. A row of odd length gets a zero at its end.
SLICE_BFLOAT16 void RoundRows(const Bfloat16Product& p, size_t begin,
                              size_t count, uint16_t* to) {
  const size_t stride = Pairs(p.in) * 2;
  for (size_t row = 0; row < count; ++row) {
    const float* from = p.from + (begin + row) * p.from_stride;
    uint16_t* rounded = to + row * stride;
    for (size_t k = 0; k < p.in; k += kFloats) {
      const size_t left = p.in - k;
      const auto reads =
          static_cast<__mmask16>(left < kFloats ? (1u << left) - 1 : 0xffffu);
      const auto writes = static_cast<__mmask16>(
          left < kFloats ? (1u << Pairs(left) * 2) - 1 : 0xffffu);
      const __m512 floats = _mm512_maskz_loadu_ps(reads, from + k);
      _mm256_mask_storeu_epi16(rounded + k, writes,
                               (__m256i)_mm512_cvtneps_pbh(floats));
    }
  }
}

// The same as MultiplyWidened, by the instruction of AVX-512 BF16.
template <size_t kRows>
SLICE_BFLOAT16 inline __attribute__((always_inline)) void MultiplyRows(
    const Bfloat16Product& p, const uint16_t* from, size_t column, size_t row) {
  const size_t pairs = Pairs(p.in);
  const uint16_t* panel = p.panels + column * pairs * 2;
  __m512 sums[kRows][2];
#pragma GCC unroll 16
  for (size_t i = 0; i < kRows; ++i) {
    sums[i][0] = _mm512_loadu_ps(p.bias + column);
    sums[i][1] = _mm512_loadu_ps(p.bias + column + kFloats);
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
      sums[i][1] = _mm512_add_ps(sums[i][1], _mm512_loadu_ps(at + kFloats));
    }
    _mm512_storeu_ps(at, sums[i][0]);
    _mm512_storeu_ps(at + kFloats, sums[i][1]);
  }
}

// Multiplies the last `count` rows of a block, at most kRows, as one tile.
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

#endif

// Rounds the rows block by block and multiplies each block with all panels.
template <typename Number>
void MultiplyBlocks(const Bfloat16Product& product,
                    void (*round)(const Bfloat16Product&, size_t, size_t,
                                  Number*),
                    void (*multiply)(const Bfloat16Product&, const Number*,
                                     size_t, size_t, size_t)) {
  thread_local AlignedVector<Number> rounded;  // grows once per thread
  rounded.resize(
      std::max(rounded.size(), kProductRowBlock * Pairs(product.in) * 2));
  for (size_t row = 0; row < product.rows; row += kProductRowBlock) {
    const size_t end = std::min(product.rows, row + kProductRowBlock);
    round(product, row, end - row, rounded.data());
    for (size_t column = 0; column < product.width;
         column += MachinePanelColumns()) {
      multiply(product, rounded.data(), column, row, end);
    }
  }
}

}  // namespace

bool MachineHasBfloat16Products() {
#if defined(__x86_64__)
  return MachineVectorSet() == VectorSet::kAvx512 &&
         __builtin_cpu_supports("avx512bf16");
#else
  return false;
#endif
}

void Multiply(const Bfloat16Product& product) {
#if defined(__x86_64__)
  static const bool direct = MachineHasBfloat16Products();
  if (direct) {
    MultiplyBlocks<uint16_t>(product, RoundRows, MultiplyPanel);
    return;
  }
#endif
  MultiplyBlocks<float>(product, RoundRowsWidened, MultiplyWidenedPanel);
}

}  // namespace slice
