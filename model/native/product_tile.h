// How the product of rows and a matrix of weights is cut into tiles. The sums
// of a tile stay in registers. Internal to model/.
#ifndef SLICE_MODEL_NATIVE_PRODUCT_TILE_H_
#define SLICE_MODEL_NATIVE_PRODUCT_TILE_H_

#include <algorithm>
#include <cstddef>

#include "common/vectors.h"
#include "model/native/aligned_vector.h"

namespace slice {

// A tile is `rows` rows by `vectors` vectors of columns. Its sums must fit into
// the registers beside the factors: AVX-512 has 32 registers, the other
// instruction sets have 16, and the factors take one or two of them. SSE has no
// fused multiply-add and needs one more register for the product.
struct ProductTile {
  size_t rows;
  size_t vectors;
};
constexpr ProductTile TileOf(VectorSet set) {
  switch (set) {
    case VectorSet::kAvx512:
      return {12, 2};
    case VectorSet::kAvx2:
      return {6, 2};
    default:
      return {3, 4};
  }
}

// Weights are laid out in panels. A panel holds the weights of this many
// neighbouring outputs (its columns), as many as a tile is wide.
constexpr size_t PanelColumns(VectorSet set) {
  return TileOf(set).vectors * VectorBytes(set) / sizeof(float);
}

// The panel columns of this machine.
inline size_t MachinePanelColumns() {
  static const size_t columns = PanelColumns(MachineVectorSet());
  return columns;
}

// `out` columns rounded up to whole panels and to a multiple of kRowPadding.
inline size_t PaddedColumns(size_t out) {
  return RoundUp(out, std::max(MachinePanelColumns(), kRowPadding));
}

// How many rows are multiplied with one panel before the next panel. This many
// rows, together with the panel, stay in the first-level cache.
inline constexpr size_t kProductRowBlock = 48;

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_PRODUCT_TILE_H_
