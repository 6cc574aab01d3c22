// The product step of the encoder kernel: rows of floats times a matrix of
// weights. As in model/cuda/encoder_phases.h, the function of a step does the
// work of one thread.
#ifndef SLICE_MODEL_CUDA_ENCODER_PRODUCT_H_
#define SLICE_MODEL_CUDA_ENCODER_PRODUCT_H_

#include <string.h>

#include "model/cuda/encoder_arrays.h"
#include "model/cuda/encoder_phases.h"

namespace slice {

// `count` rows of floats, each `stride` floats after the one before.
struct SourceRows {
  const float* first;
  int stride;
  int count;
};
// Rows to be written, one for each row that is read.
struct TargetRows {
  float* first;
  int stride;
};

// to = activation(x W + b), or with `add` to = activation(to + x W + b). `to`
// must not be `x`.
struct ProductStep {
  const float* weights;  // the array that the places in `product` index
  ProductArrays product;
  SourceRows x;   // of product.in floats
  TargetRows to;  // of product.out floats
  bool add = false;
  Activation activation = Activation::kNone;
};

// How many inputs a thread reads weights for at once. The weights come from
// global memory, so the thread waits once for all of these reads.
inline constexpr int kInputsAtOnce = 16;

// Whether rows from `first` on, `stride` floats apart, all begin at a quad.
SLICE_HOST_DEVICE inline bool InQuads(const float* first, int stride) {
  return stride % kQuad == 0 &&
         reinterpret_cast<uintptr_t>(first) % (kQuad * sizeof(float)) == 0;
}

// Copies kCount floats. If kCount is a multiple of kQuad, they must begin at a
// quad.
template <int kCount>
SLICE_HOST_DEVICE inline void ReadFloats(const float* from, float* to) {
  if constexpr (kCount % kQuad == 0) {
    memcpy(to, __builtin_assume_aligned(from, kQuad * sizeof(float)),
           kCount * sizeof(float));
  } else {
    for (int i = 0; i < kCount; ++i) to[i] = from[i];
  }
}

// Some rows of x and one column of weights, whose products a thread sums.
template <int kRows>
struct Strip {
  const float* x[kRows];
  const float* weight;  // of the first input
  int stride;           // from the weight of an input to that of the next
  float sum[kRows];
};

// Adds the products of kInputs inputs, from input `first` on.
template <int kInputs, int kRows>
SLICE_HOST_DEVICE inline void AddProducts(int first, Strip<kRows>& strip) {
  float weights[kInputs];
  for (int i = 0; i < kInputs; ++i) {
    weights[i] = strip.weight[static_cast<int64_t>(first + i) * strip.stride];
  }
  for (int row = 0; row < kRows; ++row) {
    float x[kInputs];
    ReadFloats<kInputs>(strip.x[row] + first, x);
    for (int i = 0; i < kInputs; ++i) strip.sum[row] += x[i] * weights[i];
  }
}

template <int kRows>
SLICE_HOST_DEVICE inline void AddAllProducts(int inputs, bool in_quads,
                                             Strip<kRows>& strip) {
  int i = 0;
  if (in_quads) {
    SLICE_NO_UNROLL
    for (; i + kInputsAtOnce <= inputs; i += kInputsAtOnce) {
      AddProducts<kInputsAtOnce>(i, strip);
    }
    SLICE_NO_UNROLL
    for (; i + kQuad <= inputs; i += kQuad) AddProducts<kQuad>(i, strip);
  }
  SLICE_NO_UNROLL
  for (; i < inputs; ++i) AddProducts<1>(i, strip);
}

// Multiplies strips of kRows rows with one column of weights each.
template <int kRows>
SLICE_HOST_DEVICE inline void MultiplyStrips(BlockThread thread,
                                             const ProductStep& step) {
  const ProductArrays product = step.product;
  const SourceRows x = step.x;
  const bool in_quads = InQuads(x.first, x.stride);
  const int strips = (x.count + kRows - 1) / kRows;
  SLICE_NO_UNROLL
  for (int item = thread.index; item < strips * product.out;
       item += thread.count) {
    const int column = item % product.out;
    const int first = item / product.out * kRows;
    const float bias =
        product.bias == kNoArray ? 0.0f : step.weights[product.bias + column];
    Strip<kRows> strip;
    strip.weight = step.weights + product.weight + column;
    strip.stride = product.out;
    // Rows beyond the last one repeat it; their sums are not written.
    for (int k = 0; k < kRows; ++k) {
      const int row = first + k < x.count ? first + k : x.count - 1;
      strip.x[k] = x.first + static_cast<int64_t>(row) * x.stride;
      strip.sum[k] = bias;
    }
    AddAllProducts(product.in, in_quads, strip);
    for (int k = 0; k < kRows; ++k) {
      if (first + k >= x.count) break;
      float* at = step.to.first +
                  static_cast<int64_t>(first + k) * step.to.stride + column;
      *at = Activate(step.activation,
                     step.add ? *at + strip.sum[k] : strip.sum[k]);
    }
  }
}

// How many rows of x a thread multiplies with each weight that it reads: many
// if every thread has a strip even so, else few, so that more threads have one.
inline constexpr int kManyRows = 8, kFewRows = 4;

SLICE_HOST_DEVICE inline void Multiply(BlockThread thread,
                                       const ProductStep& step) {
  const int strips = (step.x.count + kManyRows - 1) / kManyRows;
  if (strips * step.product.out >= thread.count) {
    MultiplyStrips<kManyRows>(thread, step);
  } else {
    MultiplyStrips<kFewRows>(thread, step);
  }
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_PRODUCT_H_
