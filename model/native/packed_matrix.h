// A matrix of weights, packed once: laid out in the order in which a product
// with rows reads the weights. A general matrix product would pack the same
// weights in every call, which costs more than the product itself when a
// context has only a few tokens.
#ifndef SLICE_MODEL_NATIVE_PACKED_MATRIX_H_
#define SLICE_MODEL_NATIVE_PACKED_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/native/aligned_vector.h"
#include "model/native/strided_rows.h"

namespace slice {

// How weights are kept. kBfloat16 rounds them, and the rows that they are
// multiplied with, to 8 significant bits. Sums are float32 in both formats.
enum class WeightFormat { kFloat32, kBfloat16 };

// A linear layer, y = W x + b. Immutable after construction; thread-safe.
class PackedMatrix {
 public:
  PackedMatrix() = default;
  // `weights` [out, in]; `bias` [out], or empty for none.
  PackedMatrix(std::span<const float> weights, std::span<const float> bias,
               size_t out, size_t in,
               WeightFormat format = WeightFormat::kFloat32);

  size_t in() const { return in_; }
  size_t out() const { return out_; }
  // How many floats a product writes to every row of its result: `out` results,
  // then zeros up to whole panels (model/native/product_tile.h).
  size_t width() const { return width_; }

  // to[i] = W from[i] + b for every row i. REQUIRES: to.stride >= width().
  void Multiply(const InputRows& from, const OutputRows& to) const;
  // to[i] += W from[i] + b.
  void MultiplyAdd(const InputRows& from, const OutputRows& to) const;
  // to[i] = base + W from[i] for every row i. Only those numbers of from[i]
  // count whose indices are in `columns`; the others are taken to be 0. `base`
  // is [width]. REQUIRES: float32 weights.
  void MultiplyColumns(std::span<const uint32_t> columns, const float* base,
                       const InputRows& from, const OutputRows& to) const;

 private:
  void Run(const InputRows& from, const OutputRows& to, bool add) const;

  size_t in_ = 0;
  size_t out_ = 0;
  size_t width_ = 0;
  // The weights in panels (model/native/product_tile.h); the format says which
  // of the two arrays is used. A float32 panel is [in, columns]; the others are
  // made by PackBfloat16.
  AlignedVector<float> panels_;
  AlignedVector<uint16_t> bfloat16_panels_;
  AlignedVector<float> bias_;  // [width]
};

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_PACKED_MATRIX_H_
