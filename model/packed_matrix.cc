#include "model/packed_matrix.h"

#include <algorithm>

#include "model/bfloat16_product.h"
#include "model/vector_math.h"

namespace slice {
namespace {

constexpr size_t kPanel = 2 * kLanes;
// Rows that are multiplied with one panel before the next: they and the panel
// stay in the first-level cache.
constexpr size_t kRowBlock = 48;

// A product of rows with one panel.
struct Product {
  const float* from;
  size_t from_stride;
  const float* panel;       // [in, kPanel]
  const float* bias;        // [kPanel]
  size_t in;                // columns that are multiplied
  const uint32_t* columns;  // these, [in]; null: the first
  float* to;
  size_t to_stride;
  bool add;  // to what is there
};

// Rows whose sums fit the registers.
constexpr size_t RowsAtOnce(VectorSet set) {
  switch (set) {
    case VectorSet::kAvx512:
      return 12;
    case VectorSet::kAvx2:
      return 3;
    default:
      return 2;
  }
}

template <size_t kRows, bool kSome>
SLICE_VECTOR_LOOP void MultiplyRows(const Product& p, size_t row) {
  Floats sums[kRows][2];
#pragma GCC unroll 16
  for (size_t i = 0; i < kRows; ++i) {
    sums[i][0] = LoadFloats(p.bias);
    sums[i][1] = LoadFloats(p.bias + kLanes);
  }
  const float* from = p.from + row * p.from_stride;
  for (size_t i = 0; i < p.in; ++i) {
    const size_t k = kSome ? p.columns[i] : i;
    const Floats first = LoadFloats(p.panel + k * kPanel);
    const Floats second = LoadFloats(p.panel + k * kPanel + kLanes);
#pragma GCC unroll 16
    for (size_t r = 0; r < kRows; ++r) {
      const float x = from[r * p.from_stride + k];
      sums[r][0] += first * x;
      sums[r][1] += second * x;
    }
  }
  float* to = p.to + row * p.to_stride;
#pragma GCC unroll 16
  for (size_t i = 0; i < kRows; ++i) {
    float* at = to + i * p.to_stride;
    if (p.add) {
      sums[i][0] += LoadFloats(at);
      sums[i][1] += LoadFloats(at + kLanes);
    }
    StoreFloats(sums[i][0], at);
    StoreFloats(sums[i][1], at + kLanes);
  }
}

// The rest of a block, fewer than kRows + 1 rows, in one go.
template <size_t kRows, bool kSome>
SLICE_VECTOR_LOOP void MultiplyRest(const Product& p, size_t row,
                                    size_t count) {
  if constexpr (kRows > 0) {
    if (count == kRows) {
      MultiplyRows<kRows, kSome>(p, row);
    } else {
      MultiplyRest<kRows - 1, kSome>(p, row, count);
    }
  }
}

template <VectorSet kSet, bool kSome>
SLICE_VECTOR_LOOP void MultiplyBlock(const Product& p, size_t rows) {
  constexpr size_t kRows = RowsAtOnce(kSet);
  size_t row = 0;
  for (; row + kRows <= rows; row += kRows) MultiplyRows<kRows, kSome>(p, row);
  MultiplyRest<kRows - 1, kSome>(p, row, rows - row);
}

template <VectorSet kSet>
SLICE_VECTOR_LOOP void MultiplyPanelBody(const Product& p, size_t rows) {
  MultiplyBlock<kSet, false>(p, rows);
}
SLICE_VECTOR_KERNEL(MultiplyPanel, MultiplyPanelBody,
                    (const Product& p, size_t rows), (p, rows))

template <VectorSet kSet>
SLICE_VECTOR_LOOP void MultiplySomeBody(const Product& p, size_t rows) {
  MultiplyBlock<kSet, true>(p, rows);
}
SLICE_VECTOR_KERNEL(MultiplySome, MultiplySomeBody,
                    (const Product& p, size_t rows), (p, rows))

// All panels, `in` columns each, over all rows, `product` being that of the
// first.
void MultiplyPanels(Product product, size_t in, size_t rows, size_t width) {
  const Product first = product;
  for (size_t begin = 0; begin < rows; begin += kRowBlock) {
    product.from = first.from + begin * first.from_stride;
    for (size_t column = 0; column < width; column += kPanel) {
      product.panel = first.panel + column * in;
      product.bias = first.bias + column;
      product.to = first.to + begin * first.to_stride + column;
      const size_t count = std::min(kRowBlock, rows - begin);
      product.columns == nullptr ? MultiplyPanel(product, count)
                                 : MultiplySome(product, count);
    }
  }
}

AlignedVector<float> Pack(std::span<const float> weights, size_t out,
                          size_t in) {
  AlignedVector<float> panels(RoundUp(out, kPanel) * in, 0.0f);
  for (size_t column = 0; column < out; ++column) {
    float* panel = panels.data() + column / kPanel * kPanel * in;
    for (size_t k = 0; k < in; ++k) {
      panel[k * kPanel + column % kPanel] = weights[column * in + k];
    }
  }
  return panels;
}

}  // namespace

PackedMatrix::PackedMatrix(std::span<const float> weights,
                           std::span<const float> bias, size_t out, size_t in,
                           WeightFormat format)
    : in_(in), out_(out), width_(RoundUp(out, kPanel)) {
  if (format == WeightFormat::kBfloat16) {
    bfloat16_panels_ = PackBfloat16(weights, out, in);
  } else {
    panels_ = Pack(weights, out, in);
  }
  bias_.assign(bias.begin(), bias.end());
  bias_.resize(width_, 0.0f);
}

void PackedMatrix::Run(const float* from, size_t from_stride, size_t rows,
                       float* to, size_t to_stride, bool add) const {
  if (!bfloat16_panels_.empty()) {
    slice::Multiply({from, from_stride, rows, in_, bfloat16_panels_.data(),
                     bias_.data(), width_, to, to_stride, add});
    return;
  }
  MultiplyPanels({from, from_stride, panels_.data(), bias_.data(), in_, nullptr,
                  to, to_stride, add},
                 in_, rows, width_);
}

void PackedMatrix::Multiply(const float* from, size_t from_stride, size_t rows,
                            float* to, size_t to_stride) const {
  Run(from, from_stride, rows, to, to_stride, /*add=*/false);
}

void PackedMatrix::MultiplyAdd(const float* from, size_t from_stride,
                               size_t rows, float* to, size_t to_stride) const {
  Run(from, from_stride, rows, to, to_stride, /*add=*/true);
}

void PackedMatrix::MultiplyColumns(std::span<const uint32_t> columns,
                                   const float* base, const float* from,
                                   size_t from_stride, size_t rows, float* to,
                                   size_t to_stride) const {
  MultiplyPanels({from, from_stride, panels_.data(), base, columns.size(),
                  columns.data(), to, to_stride, /*add=*/false},
                 in_, rows, width_);
}

}  // namespace slice
