// What the native network does between its matrix products. Rows stand `stride`
// floats apart; a stride is a multiple of kRowPadding and what lies between a
// row's end and its stride is zero, or written as zero.
#ifndef SLICE_MODEL_NATIVE_NATIVE_KERNELS_H_
#define SLICE_MODEL_NATIVE_NATIVE_KERNELS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/native/aligned_vector.h"

namespace slice {

// to = (x - mean) / sqrt(variance + 1e-5) * gain + shift over the `size` floats
// of each row; `gain` and `shift` are [stride], zeros behind `size`. `to` may
// be `from`.
void NormalizeRows(const float* from, size_t rows, size_t size, size_t stride,
                   const float* gain, const float* shift, float* to);

// x = (x + the rows of `added`) * scale + shift over `stride` floats.
void AddTokenRows(const std::array<const float*, 4>& added, const float* scale,
                  const float* shift, size_t stride, float* x);

// x = gelu(x) and relu(x) for `count` floats, a multiple of kRowPadding.
void ApplyGelu(float* x, size_t count);
void ApplyRelu(float* x, size_t count);

// to[row * to_stride + i] += row . weights[i] + bias[i], i = 0 and 1, of rows
// [rows, stride] and `weights` [2, stride].
void AddTwoDots(const float* from, size_t rows, size_t stride,
                const float* weights, const float* bias, float* to,
                size_t to_stride);

// Sets marks[i] where column i is not the same in all rows [rows, width].
void MarkVarying(const float* values, size_t rows, size_t width,
                 uint32_t* marks);

// Attention within one context of `tokens` tokens.
struct Attention {
  size_t tokens = 0;
  size_t heads = 0;
  size_t head_dim = 0;
  // [tokens, stride] each, head after head. The query is scaled already. Reads
  // up to kRowPadding floats behind the last of a row.
  const float* query = nullptr;
  const float* key = nullptr;
  const float* value = nullptr;
  size_t stride = 0;
  // [heads, tokens, RoundUp(tokens, kRowPadding)]: in, the bias of each pair;
  // out, the softmax of the scores: row i holds what token i receives.
  float* scores = nullptr;
  float* keys_across =
      nullptr;  // scratch, [head_dim, RoundUp(tokens, kRowPadding)]
  // [tokens, to_stride], written up to kRowPadding floats behind the last of a
  // row.
  float* to = nullptr;
  size_t to_stride = 0;
};
void Attend(const Attention& attention);

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_NATIVE_KERNELS_H_
