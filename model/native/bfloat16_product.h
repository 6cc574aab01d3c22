// Multiplies rows with a matrix of bfloat16 weights. The rows are rounded to
// bfloat16 first; sums are float32. It runs on any processor, and is faster
// than float32 on processors with AVX-512 BF16, which multiply pairs of
// bfloat16. Internal to model/.
#ifndef SLICE_MODEL_NATIVE_BFLOAT16_PRODUCT_H_
#define SLICE_MODEL_NATIVE_BFLOAT16_PRODUCT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/native/aligned_vector.h"

namespace slice {

// Whether this machine has AVX-512 BF16 and ATEN_CPU_CAPABILITY does not forbid
// its use (common/vector_variants.h).
bool MachineHasBfloat16Products();

// `value` rounded to its upper 16 bits: to nearest, ties to even. REQUIRES:
// `value` is not NaN.
uint16_t ToBfloat16(float value);

// Lays out `weights` [out, in] in panels (model/native/product_tile.h). Each
// panel is [(in + 1) / 2, columns, 2]: the weights of two neighbouring inputs
// are side by side.
AlignedVector<uint16_t> PackBfloat16(std::span<const float> weights, size_t out,
                                     size_t in);

// A product. For every row i: to[i] = W from[i] + bias, or with `add`
// to[i] += W from[i] + bias.
struct Bfloat16Product {
  const float* from = nullptr;  // rows `from_stride` floats apart
  size_t from_stride = 0;
  size_t rows = 0;
  size_t in = 0;
  const uint16_t* panels = nullptr;  // of PackBfloat16
  const float* bias = nullptr;       // [width]
  size_t width = 0;                  // out, rounded up to whole panels
  float* to = nullptr;               // rows `to_stride` floats apart
  size_t to_stride = 0;
  bool add = false;
};
void Multiply(const Bfloat16Product& product);

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_BFLOAT16_PRODUCT_H_
