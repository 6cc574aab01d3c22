// A matrix of weights laid out for multiplying rows with it. The product of the
// native network, where a general one would pack the same weights again and
// again and waste most of its time on contexts of a few tokens.
#ifndef SLICE_MODEL_NATIVE_PACKED_MATRIX_H_
#define SLICE_MODEL_NATIVE_PACKED_MATRIX_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/native/aligned_vector.h"

namespace slice {

// How weights are kept. kBfloat16 rounds them, and the rows they are multiplied
// with, to 8 significant bits; sums are float32 either way.
enum class WeightFormat { kFloat32, kBfloat16 };

// y = W x + b of a linear layer. Constant once made; thread-safe.
class PackedMatrix {
 public:
  PackedMatrix() = default;
  // `weights` [out, in]; `bias` [out], or empty for none.
  PackedMatrix(std::span<const float> weights, std::span<const float> bias,
               size_t out, size_t in,
               WeightFormat format = WeightFormat::kFloat32);

  size_t in() const { return in_; }
  size_t out() const { return out_; }
  // Columns written to every row of a result: `out` rounded up, zeros behind.
  size_t width() const { return width_; }

  // to[i] = W from[i] + b for `rows` rows that stand so many floats apart
  // (to_stride >= width()).
  void Multiply(const float* from, size_t from_stride, size_t rows, float* to,
                size_t to_stride) const;
  // to[i] += W from[i] + b.
  void MultiplyAdd(const float* from, size_t from_stride, size_t rows,
                   float* to, size_t to_stride) const;
  // to[i] = base + W from[i] as if from[i] were 0 but in `columns`; `base` is
  // [width]. float32 only.
  void MultiplyColumns(std::span<const uint32_t> columns, const float* base,
                       const float* from, size_t from_stride, size_t rows,
                       float* to, size_t to_stride) const;

 private:
  void Run(const float* from, size_t from_stride, size_t rows, float* to,
           size_t to_stride, bool add) const;

  size_t in_ = 0;
  size_t out_ = 0;
  size_t width_ = 0;
  // Panels of model/native/product_tile.h, each [in, columns]; or of bfloat16.
  AlignedVector<float> panels_;
  AlignedVector<uint16_t> bfloat16_panels_;
  AlignedVector<float> bias_;  // [width]
};

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_PACKED_MATRIX_H_
