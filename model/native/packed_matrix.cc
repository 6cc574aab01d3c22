// Weights are packed into panels, as many columns wide as a tile
// (model/native/product_tile.h). A product takes the rows in blocks that stay
// in the first-level cache, and multiplies each block with one panel after the
// other. The product of a block with a panel is cut into tiles of rows, whose
// sums stay in registers. The rows that are left over at the end of a block
// form one smaller tile.
#include "model/native/packed_matrix.h"

#include <algorithm>

#include "model/native/bfloat16_product.h"
#include "model/native/product_tile.h"

namespace slice {
namespace {

// A product of rows with one panel.
struct Product {
  const float* from;
  size_t from_stride;
  const float* panel;       // [in, PanelColumns()]
  const float* bias;        // [PanelColumns()]
  size_t in;                // how many columns of a row are multiplied
  const uint32_t* columns;  // [in], the ones multiplied; null: the first `in`
  float* to;
  size_t to_stride;
  bool add;  // to += instead of to =
};

// Multiplies the rows [row, row + kRows) as one tile. With kSome, multiplies
// only the columns p.columns.
template <VectorSet kSet, size_t kRows, bool kSome>
SLICE_VECTOR_LOOP void MultiplyRows(const Product& p, size_t row) {
  constexpr size_t kVectors = TileOf(kSet).vectors;
  Floats<kSet> sums[kRows][kVectors];
#pragma GCC unroll 16
  for (size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (size_t v = 0; v < kVectors; ++v) {
      sums[r][v] = LoadFloats<kSet>(p.bias + v * kLanes<kSet>);
    }
  }
  const float* from = p.from + row * p.from_stride;
  for (size_t i = 0; i < p.in; ++i) {
    const size_t k = kSome ? p.columns[i] : i;
    const float* panel = p.panel + k * PanelColumns(kSet);
    Floats<kSet> weights[kVectors];
#pragma GCC unroll 4
    for (size_t v = 0; v < kVectors; ++v) {
      weights[v] = LoadFloats<kSet>(panel + v * kLanes<kSet>);
    }
#pragma GCC unroll 16
    for (size_t r = 0; r < kRows; ++r) {
      const float x = from[r * p.from_stride + k];
#pragma GCC unroll 4
      for (size_t v = 0; v < kVectors; ++v) sums[r][v] += weights[v] * x;
    }
  }
  float* to = p.to + row * p.to_stride;
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

// Multiplies the last `count` rows of a block, at most kRows, as one tile.
template <VectorSet kSet, size_t kRows, bool kSome>
SLICE_VECTOR_LOOP void MultiplyRest(const Product& p, size_t row,
                                    size_t count) {
  if constexpr (kRows > 0) {
    if (count == kRows) {
      MultiplyRows<kSet, kRows, kSome>(p, row);
    } else {
      MultiplyRest<kSet, kRows - 1, kSome>(p, row, count);
    }
  }
}

template <VectorSet kSet, bool kSome>
SLICE_VECTOR_LOOP void MultiplyBlock(const Product& p, size_t rows) {
  constexpr size_t kRows = TileOf(kSet).rows;
  size_t row = 0;
  for (; row + kRows <= rows; row += kRows) {
    MultiplyRows<kSet, kRows, kSome>(p, row);
  }
  MultiplyRest<kSet, kRows - 1, kSome>(p, row, rows - row);
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

// Multiplies `rows` rows with all panels, each [in, columns]. `product` points
// to the first row and the first panel. The result has `width` columns.
void MultiplyPanels(Product product, size_t in, size_t rows, size_t width) {
  const size_t panel_columns = MachinePanelColumns();
  const Product first = product;
  for (size_t begin = 0; begin < rows; begin += kProductRowBlock) {
    product.from = first.from + begin * first.from_stride;
    for (size_t column = 0; column < width; column += panel_columns) {
      product.panel = first.panel + column * in;
      product.bias = first.bias + column;
      product.to = first.to + begin * first.to_stride + column;
      const size_t count = std::min(kProductRowBlock, rows - begin);
      product.columns == nullptr ? MultiplyPanel(product, count)
                                 : MultiplySome(product, count);
    }
  }
}

AlignedVector<float> Pack(std::span<const float> weights, size_t out,
                          size_t in) {
  const size_t columns = MachinePanelColumns();
  AlignedVector<float> panels(PaddedColumns(out) * in, 0.0f);
  for (size_t column = 0; column < out; ++column) {
    float* panel = panels.data() + column / columns * columns * in;
    for (size_t k = 0; k < in; ++k) {
      panel[k * columns + column % columns] = weights[column * in + k];
    }
  }
  return panels;
}

}  // namespace

PackedMatrix::PackedMatrix(std::span<const float> weights,
                           std::span<const float> bias, size_t out, size_t in,
                           WeightFormat format)
    : in_(in), out_(out), width_(PaddedColumns(out)) {
  if (format == WeightFormat::kBfloat16) {
    bfloat16_panels_ = PackBfloat16(weights, out, in);
  } else {
    panels_ = Pack(weights, out, in);
  }
  bias_.assign(bias.begin(), bias.end());
  bias_.resize(width_, 0.0f);
}

void PackedMatrix::Run(const InputRows& from, const OutputRows& to,
                       bool add) const {
  if (!bfloat16_panels_.empty()) {
    slice::Multiply({.from = from.first,
                     .from_stride = from.stride,
                     .rows = from.count,
                     .in = in_,
                     .panels = bfloat16_panels_.data(),
                     .bias = bias_.data(),
                     .width = width_,
                     .to = to.first,
                     .to_stride = to.stride,
                     .add = add});
    return;
  }
  MultiplyPanels({.from = from.first,
                  .from_stride = from.stride,
                  .panel = panels_.data(),
                  .bias = bias_.data(),
                  .in = in_,
                  .columns = nullptr,
                  .to = to.first,
                  .to_stride = to.stride,
                  .add = add},
                 in_, from.count, width_);
}

void PackedMatrix::Multiply(const InputRows& from, const OutputRows& to) const {
  Run(from, to, /*add=*/false);
}

void PackedMatrix::MultiplyAdd(const InputRows& from,
                               const OutputRows& to) const {
  Run(from, to, /*add=*/true);
}

void PackedMatrix::MultiplyColumns(std::span<const uint32_t> columns,
                                   const float* base, const InputRows& from,
                                   const OutputRows& to) const {
  MultiplyPanels({.from = from.first,
                  .from_stride = from.stride,
                  .panel = panels_.data(),
                  .bias = base,
                  .in = columns.size(),
                  .columns = columns.data(),
                  .to = to.first,
                  .to_stride = to.stride,
                  .add = false},
                 in_, from.count, width_);
}

}  // namespace slice
