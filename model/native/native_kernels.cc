// Each kernel is a template over the instruction set (`...Body`), which
// SLICE_VECTOR_KERNEL compiles once per set and dispatches at run time
// (common/vector_variants.h). Some bodies copy their argument struct into local
// variables. Otherwise the compiler would have to assume that a store of floats
// changes the struct, and would read the fields again in every iteration.
//
// Attention within one context runs head by head:
//   1. LayKeysAcross transposes the keys, so that a vector holds one dimension
//      of neighbouring keys.
//   2. The queries are processed in blocks of six, whose sums stay in
//      registers. ScoreRows adds query . key to the biases, Softmax normalises
//      each row of scores, and MixRows sums the values with the scores as
//      weights.
// Kernels read and write whole vectors. What lies behind the last token is
// either masked (Below) or padding.
#include "model/native/native_kernels.h"

#include <cmath>
#include <cstring>

#include "common/vector_math.h"
#include "common/vectors.h"

namespace slice {
namespace {

constexpr float kNormEpsilon = 1e-5f;  // as in torch.layer_norm

// `x` in the lanes whose position is below `size`, `other` in the rest. The
// position of a lane is its index plus `first`.
template <typename FloatVector>
SLICE_VECTOR_LOOP FloatVector Below(size_t size, size_t first, FloatVector x,
                                    FloatVector other) {
  constexpr int32_t kPositions[] = {0, 1, 2,  3,  4,  5,  6,  7,
                                    8, 9, 10, 11, 12, 13, 14, 15};
  IntsLike<FloatVector> positions;
  std::memcpy(&positions, kPositions, sizeof(positions));
  return positions + static_cast<int32_t>(first) < static_cast<int32_t>(size)
             ? x
             : other;
}

template <VectorSet kSet>
SLICE_VECTOR_LOOP void NormalizeRowsBody(const RowNorm& norm) {
  using Vector = Floats<kSet>;
  const auto [from, rows, size, stride, gain, shift, to] = norm;
  const float scale = 1.0f / static_cast<float>(size);
  for (size_t row = 0; row < rows; ++row) {
    const float* x = from + row * stride;
    Vector sums = {};
    for (size_t i = 0; i < stride; i += kLanes<kSet>) {
      sums += LoadFloats<kSet>(x + i);
    }
    const float mean = Sum(sums) * scale;
    Vector squares = {};
    for (size_t i = 0; i < size; i += kLanes<kSet>) {
      Vector difference = LoadFloats<kSet>(x + i) - mean;
      if (i + kLanes < kSet >> size) {
        difference = Below(size, i, difference, Vector{});
      }
      squares += difference * difference;
    }
    const float inverse = 1.0f / std::sqrt(Sum(squares) * scale + kNormEpsilon);
    float* y = to + row * stride;
    for (size_t i = 0; i < stride; i += kLanes<kSet>) {
      const Vector normal = (LoadFloats<kSet>(x + i) - mean) * inverse;
      StoreFloats(
          normal * LoadFloats<kSet>(gain + i) + LoadFloats<kSet>(shift + i),
          y + i);
    }
  }
}
SLICE_VECTOR_KERNEL(NormalizeRowsKernel, NormalizeRowsBody,
                    (const RowNorm& norm), (norm))

template <VectorSet kSet>
SLICE_VECTOR_LOOP void AddTokenRowsBody(const float* const* added,
                                        const float* scale, const float* shift,
                                        size_t stride, float* x) {
  for (size_t i = 0; i < stride; i += kLanes<kSet>) {
    Floats<kSet> sum = LoadFloats<kSet>(x + i);
    for (size_t row = 0; row < 4; ++row) {
      sum += LoadFloats<kSet>(added[row] + i);
    }
    StoreFloats(sum * LoadFloats<kSet>(scale + i) + LoadFloats<kSet>(shift + i),
                x + i);
  }
}
SLICE_VECTOR_KERNEL(AddTokenRowsKernel, AddTokenRowsBody,
                    (const float* const* added, const float* scale,
                     const float* shift, size_t stride, float* x),
                    (added, scale, shift, stride, x))

template <VectorSet kSet>
SLICE_VECTOR_LOOP void ApplyGeluBody(float* x, size_t count) {
  for (size_t i = 0; i < count; i += kLanes<kSet>) {
    StoreFloats(Gelu(LoadFloats<kSet>(x + i)), x + i);
  }
}
SLICE_VECTOR_KERNEL(ApplyGeluKernel, ApplyGeluBody, (float* x, size_t count),
                    (x, count))

template <VectorSet kSet>
SLICE_VECTOR_LOOP void AddTwoDotsBody(const TwoDots& dots) {
  const auto [from, weights, bias, to] = dots;
  for (size_t row = 0; row < from.count; ++row) {
    Floats<kSet> first = {}, second = {};
    for (size_t i = 0; i < from.stride; i += kLanes<kSet>) {
      const Floats<kSet> x =
          LoadFloats<kSet>(from.first + row * from.stride + i);
      first += x * LoadFloats<kSet>(weights + i);
      second += x * LoadFloats<kSet>(weights + from.stride + i);
    }
    to.first[row * to.stride] += Sum(first) + bias[0];
    to.first[row * to.stride + 1] += Sum(second) + bias[1];
  }
}
SLICE_VECTOR_KERNEL(AddTwoDotsKernel, AddTwoDotsBody, (const TwoDots& dots),
                    (dots))

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
  for (size_t i = 0; i < count; i += kLanes<kSet>) {
    const Floats<kSet> value = LoadFloats<kSet>(x + i);
    StoreFloats(value > 0.0f ? value : Floats<kSet>{}, x + i);
  }
}
SLICE_VECTOR_KERNEL(ApplyReluKernel, ApplyReluBody, (float* x, size_t count),
                    (x, count))

// Fills keys_across for the head whose keys begin at `key`, with zeros behind
// the last token.
template <VectorSet kSet>
SLICE_VECTOR_LOOP void LayKeysAcross(const Attention& a, size_t width,
                                     const float* key) {
  constexpr size_t kSquare = kLanes<kSet>;
  for (size_t j = 0; j < a.tokens; j += kSquare) {
    const size_t keys = a.tokens - j < kSquare ? a.tokens - j : kSquare;
    for (size_t k = 0; k < a.head_dim; k += kSquare) {
      const size_t dims = a.head_dim - k < kSquare ? a.head_dim - k : kSquare;
      const float* from = key + j * a.stride + k;
      float* to = a.keys_across + k * width + j;
      Floats<kSet> rows[kSquare];
#pragma GCC unroll 16
      for (size_t i = 0; i < kSquare; ++i) {
        rows[i] =
            i < keys ? LoadFloats<kSet>(from + i * a.stride) : Floats<kSet>{};
      }
      Transpose<kSet>(rows);
#pragma GCC unroll 16
      for (size_t i = 0; i < kSquare; ++i) {
        if (i < dims) StoreFloats(rows[i], to + i * width);
      }
    }
  }
}

// scores[i][j] += query_i . key_j for kRows queries i; scores behind the last
// token become -1e30.
template <VectorSet kSet, size_t kRows>
SLICE_VECTOR_LOOP void ScoreRows(const Attention& a, size_t width,
                                 const float* query, float* scores) {
  using Vector = Floats<kSet>;
  for (size_t j = 0; j < a.tokens; j += kLanes<kSet>) {
    Vector sums[kRows];
#pragma GCC unroll 8
    for (size_t i = 0; i < kRows; ++i) {
      sums[i] = LoadFloats<kSet>(scores + i * width + j);
    }
    for (size_t k = 0; k < a.head_dim; ++k) {
      const Vector key = LoadFloats<kSet>(a.keys_across + k * width + j);
#pragma GCC unroll 8
      for (size_t i = 0; i < kRows; ++i) {
        sums[i] += key * query[i * a.stride + k];
      }
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < kRows; ++i) {
      StoreFloats(Below(a.tokens, j, sums[i], Vector{} - 1e30f),
                  scores + i * width + j);
    }
  }
}

// Replaces a row of `tokens` scores by their softmax. What lies behind them in
// the last vector becomes 0.
template <VectorSet kSet>
SLICE_VECTOR_LOOP void Softmax(float* scores, size_t tokens) {
  using Vector = Floats<kSet>;
  Vector highest = LoadFloats<kSet>(scores);
  for (size_t j = kLanes<kSet>; j < tokens; j += kLanes<kSet>) {
    const Vector next = LoadFloats<kSet>(scores + j);
    highest = next > highest ? next : highest;
  }
  const float peak = Max(highest);
  Vector total = {};
  for (size_t j = 0; j < tokens; j += kLanes<kSet>) {
    const Vector weight = Exp(LoadFloats<kSet>(scores + j) - peak);
    total += weight;
    StoreFloats(weight, scores + j);
  }
  const float inverse = 1.0f / Sum(total);
  for (size_t j = 0; j < tokens; j += kLanes<kSet>) {
    StoreFloats(LoadFloats<kSet>(scores + j) * inverse, scores + j);
  }
}

// to_i = sum over j of scores[i][j] * value_j, for kRows tokens i.
template <VectorSet kSet, size_t kRows>
SLICE_VECTOR_LOOP void MixRows(const Attention& a, size_t width,
                               const float* value, const float* scores,
                               float* to) {
  for (size_t k = 0; k < a.head_dim; k += kLanes<kSet>) {
    Floats<kSet> sums[kRows] = {};
    for (size_t j = 0; j < a.tokens; ++j) {
      const Floats<kSet> part = LoadFloats<kSet>(value + j * a.stride + k);
#pragma GCC unroll 8
      for (size_t i = 0; i < kRows; ++i) {
        sums[i] += part * scores[i * width + j];
      }
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < kRows; ++i) {
      StoreFloats(sums[i], to + i * a.to_stride + k);
    }
  }
}

// Attention of the tokens [row, row + kRows) in one head. The query, key and
// value of this head begin `at` floats into a row.
template <VectorSet kSet, size_t kRows>
SLICE_VECTOR_LOOP void AttendRows(const Attention& a, size_t width, size_t at,
                                  size_t row, float* scores) {
  ScoreRows<kSet, kRows>(a, width, a.query + row * a.stride + at, scores);
  for (size_t i = 0; i < kRows; ++i) {
    Softmax<kSet>(scores + i * width, a.tokens);
  }
  MixRows<kSet, kRows>(a, width, a.value + at, scores,
                       a.to + row * a.to_stride + at);
}

// Attention of the last tokens of a context, at most kRows of them, as one
// block.
template <VectorSet kSet, size_t kRows>
SLICE_VECTOR_LOOP void AttendRest(const Attention& a, size_t width, size_t at,
                                  size_t row, float* scores) {
  if constexpr (kRows > 0) {
    if (a.tokens - row == kRows) {
      AttendRows<kSet, kRows>(a, width, at, row, scores);
    } else {
      AttendRest<kSet, kRows - 1>(a, width, at, row, scores);
    }
  }
}

template <VectorSet kSet>
SLICE_VECTOR_LOOP void AttendBody(const Attention& a) {
  constexpr size_t kRows = 6;  // their sums fit into the registers
  const size_t width = RoundUp(a.tokens, kRowPadding);
  for (size_t head = 0; head < a.heads; ++head) {
    const size_t at = head * a.head_dim;
    float* scores = a.scores + head * a.tokens * width;
    LayKeysAcross<kSet>(a, width, a.key + at);
    size_t row = 0;
    for (; row + kRows <= a.tokens; row += kRows) {
      AttendRows<kSet, kRows>(a, width, at, row, scores + row * width);
    }
    AttendRest<kSet, kRows - 1>(a, width, at, row, scores + row * width);
  }
}
SLICE_VECTOR_KERNEL(AttendKernel, AttendBody, (const Attention& a), (a))

}  // namespace

void NormalizeRows(const RowNorm& norm) { NormalizeRowsKernel(norm); }
void AddTokenRows(const std::array<const float*, 4>& added, const float* scale,
                  const float* shift, size_t stride, float* x) {
  AddTokenRowsKernel(added.data(), scale, shift, stride, x);
}
void ApplyGelu(float* x, size_t count) { ApplyGeluKernel(x, count); }
void AddTwoDots(const TwoDots& dots) { AddTwoDotsKernel(dots); }

void MarkVarying(const float* values, size_t rows, size_t width,
                 uint32_t* marks) {
  MarkVaryingKernel(values, rows, width, marks);
}

void ApplyRelu(float* x, size_t count) { ApplyReluKernel(x, count); }
void Attend(const Attention& attention) { AttendKernel(attention); }

}  // namespace slice
