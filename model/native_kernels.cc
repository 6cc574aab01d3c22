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
SLICE_VECTOR_LOOP void ApplyReluBody(float* x, size_t count) {
  for (size_t i = 0; i < count; i += kLanes) {
    const Floats value = LoadFloats(x + i);
    StoreFloats(value > 0.0f ? value : Floats{}, x + i);
  }
}
SLICE_VECTOR_KERNEL(ApplyReluKernel, ApplyReluBody, (float* x, size_t count),
                    (x, count))

// scores[j] += query * key_j, and their softmax. Where the tokens end inside a
// vector its lanes behind them get 0.
SLICE_VECTOR_LOOP void ScoreToken(const Attention& a, size_t width,
                                  const float* query, float* scores) {
  Floats highest = Floats{} - 1e30f;
  for (size_t j = 0; j < width; j += kLanes) {
    Floats sum = LoadFloats(scores + j);
    for (size_t k = 0; k < a.head_dim; ++k) {
      sum += LoadFloats(a.keys_across + k * width + j) * query[k];
    }
    sum =
        Positions(j) < static_cast<int32_t>(a.tokens) ? sum : Floats{} - 1e30f;
    highest = sum > highest ? sum : highest;
    StoreFloats(sum, scores + j);
  }
  float peak = highest[0];
  for (size_t i = 1; i < kLanes; ++i) {
    peak = highest[i] > peak ? highest[i] : peak;
  }
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

template <VectorSet kSet>
SLICE_VECTOR_LOOP void AttendBody(const Attention& a) {
  const size_t width = RoundUp(a.tokens, kLanes);
  for (size_t head = 0; head < a.heads; ++head) {
    const size_t at = head * a.head_dim;
    for (size_t j = 0; j < width; ++j) {
      const float* key = a.key + j * a.stride + at;
      for (size_t k = 0; k < a.head_dim; ++k) {
        a.keys_across[k * width + j] = j < a.tokens ? key[k] : 0.0f;
      }
    }
    for (size_t i = 0; i < a.tokens; ++i) {
      float* scores = a.scores + (head * a.tokens + i) * width;
      ScoreToken(a, width, a.query + i * a.stride + at, scores);
      for (size_t k = 0; k < a.head_dim; k += kLanes) {
        Floats sum = {};
        for (size_t j = 0; j < a.tokens; ++j) {
          sum += LoadFloats(a.value + j * a.stride + at + k) * scores[j];
        }
        StoreFloats(sum, a.to + i * a.to_stride + at + k);
      }
    }
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
void ApplyRelu(float* x, size_t count) { ApplyReluKernel(x, count); }
void Attend(const Attention& attention) { AttendKernel(attention); }

}  // namespace slice
