// What the native network computes between its matrix products. Rows begin
// `stride` floats apart, and a stride is a multiple of kRowPadding. The floats
// between the end of a row and the next row are zero; kernels that write rows
// write zeros there.
#ifndef SLICE_MODEL_NATIVE_NATIVE_KERNELS_H_
#define SLICE_MODEL_NATIVE_NATIVE_KERNELS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/native/aligned_vector.h"
#include "model/native/strided_rows.h"

namespace slice {

// Layer normalisation of each row.
struct RowNorm {
  const float* from = nullptr;  // [rows, stride]
  size_t rows = 0;
  size_t size = 0;  // floats of a row that count
  size_t stride = 0;
  const float* gain = nullptr;   // [stride], zeros from `size` on
  const float* shift = nullptr;  // [stride], zeros from `size` on
  float* to = nullptr;           // [rows, stride]; may be `from`
};
// to = (x - mean) / sqrt(variance + 1e-5) * gain + shift.
void NormalizeRows(const RowNorm& norm);

// x = (x + added[0] + ... + added[3]) * scale + shift. Every array is [stride].
void AddTokenRows(const std::array<const float*, 4>& added, const float* scale,
                  const float* shift, size_t stride, float* x);

// x = gelu(x) or x = relu(x), for `count` floats. REQUIRES: `count` is a
// multiple of kRowPadding.
void ApplyGelu(float* x, size_t count);
void ApplyRelu(float* x, size_t count);

// The dot products of each row with two vectors of weights.
struct TwoDots {
  InputRows from;
  const float* weights = nullptr;  // [2, from.stride]
  const float* bias = nullptr;     // [2]
  OutputRows to;                   // two floats of each row
};
// to[row][i] += from[row] . weights[i] + bias[i] for i = 0 and 1.
void AddTwoDots(const TwoDots& dots);

// Sets marks[i] to nonzero if column i of `values` [rows, width] is not the
// same in all rows. Leaves the other marks [width] as they are.
void MarkVarying(const float* values, size_t rows, size_t width,
                 uint32_t* marks);

// Attention within one context of `tokens` tokens.
struct Attention {
  size_t tokens = 0;
  size_t heads = 0;
  size_t head_dim = 0;
  // [tokens, stride] each; a row has one head after the other. The query is
  // already scaled by 1 / sqrt(head_dim). Up to kRowPadding floats behind the
  // end of a row are read.
  const float* query = nullptr;
  const float* key = nullptr;
  const float* value = nullptr;
  size_t stride = 0;
  // [heads, tokens, RoundUp(tokens, kRowPadding)]. Input: the bias of each pair
  // of tokens. Output: the softmax of the scores; row i holds what token i
  // receives from every token.
  float* scores = nullptr;
  // Working memory [head_dim, RoundUp(tokens, kRowPadding)] for the transposed
  // keys of one head.
  float* keys_across = nullptr;
  // [tokens, to_stride]. Up to kRowPadding floats behind the end of a row are
  // written.
  float* to = nullptr;
  size_t to_stride = 0;
};
// scores = softmax(query . key + scores), to = scores . value, for each head.
void Attend(const Attention& attention);

}  // namespace slice

#endif  // SLICE_MODEL_NATIVE_NATIVE_KERNELS_H_
