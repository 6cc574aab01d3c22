#include "model/native_kernels.h"

#include <cmath>

#include "model/vector_math.h"

namespace slice {
namespace {

constexpr float kNormEpsilon = 1e-5f;  // torch.layer_norm's

// 0, 1, 2 and on, from `first`.
SLICE_VECTOR_LOOP Ints Positions(size_t first) {
  const Ints lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return lanes + static_cast<int32_t>(first);
}

template <VectorSet kSet>
SLICE_VECTOR_LOOP void NormalizeRowsBody(const float* from, size_t rows,
                                         size_t size, size_t stride,
                                         const float* gain, const float* shift,
                                         float* to) {
  const float scale = 1.0f / static_cast<float>(size);
  for (size_t row = 0; row < rows; ++row) {
    const float* x = from + row * stride;
    Floats sums = {};
    for (size_t i = 0; i < stride; i += kLanes) sums += LoadFloats(x + i);
    const float mean = Sum(sums) * scale;
    Floats squares = {};
    for (size_t i = 0; i < size; i += kLanes) {
      Floats difference = LoadFloats(x + i) - mean;
      if (i + kLanes > size) {
        difference =
            Positions(i) < static_cast<int32_t>(size) ? difference : Floats{};
      }
      squares += difference * difference;
    }
    const float inverse = 1.0f / std::sqrt(Sum(squares) * scale + kNormEpsilon);
    float* y = to + row * stride;
    for (size_t i = 0; i < stride; i += kLanes) {
      const Floats normal = (LoadFloats(x + i) - mean) * inverse;
      StoreFloats(normal * LoadFloats(gain + i) + LoadFloats(shift + i), y + i);
    }
  }
}
SLICE_VECTOR_KERNEL(NormalizeRowsKernel, NormalizeRowsBody,
                    (const float* from, size_t rows, size_t size, size_t stride,
                     const float* gain, const float* shift, float* to),
                    (from, rows, size, stride, gain, shift, to))

template <VectorSet kSet>
SLICE_VECTOR_LOOP void AddTokenRowsBody(const float* const* added,
                                        const float* scale, const float* shift,
                                        size_t stride, float* x) {
  for (size_t i = 0; i < stride; i += kLanes) {
    Floats sum = LoadFloats(x + i);
    for (size_t row = 0; row < 4; ++row) sum += LoadFloats(added[row] + i);
    StoreFloats(sum * LoadFloats(scale + i) + LoadFloats(shift + i), x + i);
  }
}
SLICE_VECTOR_KERNEL(AddTokenRowsKernel, AddTokenRowsBody,
                    (const float* const* added, const float* scale,
                     const float* shift, size_t stride, float* x),
                    (added, scale, shift, stride, x))

template <VectorSet kSet>
SLICE_VECTOR_LOOP void ApplyGeluBody(float* x, size_t count) {
  for (size_t i = 0; i < count; i += kLanes) {
    StoreFloats(Gelu(LoadFloats(x + i)), x + i);
  }
}
SLICE_VECTOR_KERNEL(ApplyGeluKernel, ApplyGeluBody, (float* x, size_t count),
                    (x, count))

template <VectorSet kSet>
SLICE_VECTOR_LOOP void AddTwoDotsBody(const float* from, size_t rows,
                                      size_t stride, const float* weights,
                                      const float* bias, float* to,
                                      size_t to_stride) {
  for (size_t row = 0; row < rows; ++row) {
    Floats first = {}, second = {};
    for (size_t i = 0; i < stride; i += kLanes) {
      const Floats x = LoadFloats(from + row * stride + i);
      first += x * LoadFloats(weights + i);
      second += x * LoadFloats(weights + stride + i);
    }
    to[row * to_stride] += Sum(first) + bias[0];
    to[row * to_stride + 1] += Sum(second) + bias[1];
  }
}
SLICE_VECTOR_KERNEL(AddTwoDotsKernel, AddTwoDotsBody,
                    (const float* from, size_t rows, size_t stride,
                     const float* weights, const float* bias, float* to,
                     size_t to_stride),
                    (from, rows, stride, weights, bias, to, to_stride))

template <VectorSet kSet>
SLICE_VECTOR_LOOP void MarkVaryingBody(const float* values, size_t rows,
                                       size_t width, uint32_t* marks) {
  for (size_t row = 1; row < rows; ++row) {
    const float* x = values + row * width;
    for (size_t i = 0; i < width; ++i) {
      marks[i] |= static_cast<uint32_t>(x[i] != values[i]);
    }
  }
}
SLICE_VECTOR_KERNEL(MarkVaryingKernel, MarkVaryingBody,
                    (const float* values, size_t rows, size_t width,
                     uint32_t* marks),
                    (values, rows, width, marks))

template <VectorSet kSet>
SLICE_VECTOR_LOOP void ApplyReluBody(float* x, size_t count) {
  for (size_t i = 0; i < count; i += kLanes) {
    const Floats value = LoadFloats(x + i);
    StoreFloats(value > 0.0f ? value : Floats{}, x + i);
  }
}
SLICE_VECTOR_KERNEL(ApplyReluKernel, ApplyReluBody, (float* x, size_t count),
                    (x, count))

// Sixteen rows of sixteen floats become the columns: four perfect shuffles
// rotate (row, column) by a bit each.
SLICE_VECTOR_LOOP void Transpose(Floats* rows) {
#pragma GCC unroll 4
  for (int step = 0; step < 4; ++step) {
    Floats next[kLanes];
#pragma GCC unroll 8
    for (size_t i = 0; i < kLanes / 2; ++i) {
      const Floats a = rows[i], b = rows[i + kLanes / 2];
      next[2 * i] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4,
                                            20, 5, 21, 6, 22, 7, 23);
      next[2 * i + 1] = __builtin_shufflevector(
          a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    }
#pragma GCC unroll 16
    for (size_t i = 0; i < kLanes; ++i) rows[i] = next[i];
  }
}

// keys_across of the head that starts at `key`, zeros behind the tokens.
template <VectorSet kSet>
SLICE_VECTOR_LOOP void LayKeysAcross(const Attention& a, size_t width,
                                     const float* key) {
  for (size_t j = 0; j < width; j += kLanes) {
    for (size_t k = 0; k < a.head_dim; k += kLanes) {
      const size_t keys = a.tokens - j < kLanes ? a.tokens - j : kLanes;
      const size_t dims = a.head_dim - k < kLanes ? a.head_dim - k : kLanes;
      const float* from = key + j * a.stride + k;
      float* to = a.keys_across + k * width + j;
      if constexpr (kSet == VectorSet::kAvx512) {
        Floats rows[kLanes];
#pragma GCC unroll 16
        for (size_t i = 0; i < kLanes; ++i) {
          rows[i] = i < keys ? LoadFloats(from + i * a.stride) : Floats{};
        }
        Transpose(rows);
#pragma GCC unroll 16
        for (size_t i = 0; i < kLanes; ++i) {
          if (i < dims) StoreFloats(rows[i], to + i * width);
        }
      } else {
        for (size_t dim = 0; dim < dims; ++dim) {
          for (size_t i = 0; i < kLanes; ++i) {
            to[dim * width + i] = i < keys ? from[i * a.stride + dim] : 0.0f;
          }
        }
      }
    }
  }
}

// scores[i][j] += query_i * key_j of kRows tokens; what lies behind the tokens
// gets -1e30.
template <size_t kRows>
SLICE_VECTOR_LOOP void ScoreRows(const Attention& a, size_t width,
                                 const float* query, float* scores) {
  for (size_t j = 0; j < width; j += kLanes) {
    Floats sums[kRows];
#pragma GCC unroll 8
    for (size_t i = 0; i < kRows; ++i) {
      sums[i] = LoadFloats(scores + i * width + j);
    }
    for (size_t k = 0; k < a.head_dim; ++k) {
      const Floats key = LoadFloats(a.keys_across + k * width + j);
#pragma GCC unroll 8
      for (size_t i = 0; i < kRows; ++i) {
        sums[i] += key * query[i * a.stride + k];
      }
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < kRows; ++i) {
      StoreFloats(Positions(j) < static_cast<int32_t>(a.tokens)
                      ? sums[i]
                      : Floats{} - 1e30f,
                  scores + i * width + j);
    }
  }
}

SLICE_VECTOR_LOOP void Softmax(float* scores, size_t width) {
  Floats highest = LoadFloats(scores);
  for (size_t j = kLanes; j < width; j += kLanes) {
    const Floats next = LoadFloats(scores + j);
    highest = next > highest ? next : highest;
  }
  const float peak = Max(highest);
  Floats total = {};
  for (size_t j = 0; j < width; j += kLanes) {
    const Floats weight = Exp(LoadFloats(scores + j) - peak);
    total += weight;
    StoreFloats(weight, scores + j);
  }
  const float inverse = 1.0f / Sum(total);
  for (size_t j = 0; j < width; j += kLanes) {
    StoreFloats(LoadFloats(scores + j) * inverse, scores + j);
  }
}

// to_i = sum of scores[i][j] * value_j of kRows tokens.
template <size_t kRows>
SLICE_VECTOR_LOOP void MixRows(const Attention& a, size_t width,
                               const float* value, const float* scores,
                               float* to) {
  for (size_t k = 0; k < a.head_dim; k += kLanes) {
    Floats sums[kRows] = {};
    for (size_t j = 0; j < a.tokens; ++j) {
      const Floats part = LoadFloats(value + j * a.stride + k);
#pragma GCC unroll 8
      for (size_t i = 0; i < kRows; ++i)
        sums[i] += part * scores[i * width + j];
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < kRows; ++i) {
      StoreFloats(sums[i], to + i * a.to_stride + k);
    }
  }
}

// What kRows tokens from `row` on receive in the head `at` floats into a row.
template <size_t kRows>
SLICE_VECTOR_LOOP void AttendRows(const Attention& a, size_t width, size_t at,
                                  size_t row, float* scores) {
  ScoreRows<kRows>(a, width, a.query + row * a.stride + at, scores);
  for (size_t i = 0; i < kRows; ++i) Softmax(scores + i * width, width);
  MixRows<kRows>(a, width, a.value + at, scores, a.to + row * a.to_stride + at);
}

// Fewer than kRows + 1 rows in one go.
template <size_t kRows>
SLICE_VECTOR_LOOP void AttendRest(const Attention& a, size_t width, size_t at,
                                  size_t row, float* scores) {
  if constexpr (kRows > 0) {
    if (a.tokens - row == kRows) {
      AttendRows<kRows>(a, width, at, row, scores);
    } else {
      AttendRest<kRows - 1>(a, width, at, row, scores);
    }
  }
}

template <VectorSet kSet>
SLICE_VECTOR_LOOP void AttendBody(const Attention& a) {
  constexpr size_t kRows = kSet == VectorSet::kAvx512 ? 6 : 3;
  const size_t width = RoundUp(a.tokens, kLanes);
  for (size_t head = 0; head < a.heads; ++head) {
    const size_t at = head * a.head_dim;
    float* scores = a.scores + head * a.tokens * width;
    LayKeysAcross<kSet>(a, width, a.key + at);
    size_t row = 0;
    for (; row + kRows <= a.tokens; row += kRows) {
      AttendRows<kRows>(a, width, at, row, scores + row * width);
    }
    AttendRest<kRows - 1>(a, width, at, row, scores + row * width);
  }
}
SLICE_VECTOR_KERNEL(AttendKernel, AttendBody, (const Attention& a), (a))

}  // namespace

void NormalizeRows(const float* from, size_t rows, size_t size, size_t stride,
                   const float* gain, const float* shift, float* to) {
  NormalizeRowsKernel(from, rows, size, stride, gain, shift, to);
}
void AddTokenRows(const std::array<const float*, 4>& added, const float* scale,
                  const float* shift, size_t stride, float* x) {
  AddTokenRowsKernel(added.data(), scale, shift, stride, x);
}
void ApplyGelu(float* x, size_t count) { ApplyGeluKernel(x, count); }
void AddTwoDots(const float* from, size_t rows, size_t stride,
                const float* weights, const float* bias, float* to,
                size_t to_stride) {
  AddTwoDotsKernel(from, rows, stride, weights, bias, to, to_stride);
}

void MarkVarying(const float* values, size_t rows, size_t width,
                 uint32_t* marks) {
  MarkVaryingKernel(values, rows, width, marks);
}

void ApplyRelu(float* x, size_t count) { ApplyReluKernel(x, count); }
void Attend(const Attention& attention) { AttendKernel(attention); }

}  // namespace slice
