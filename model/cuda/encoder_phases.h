// Steps of the encoder kernel. The function of a step does the work of one
// thread of a block. Between two steps there is a barrier; within a step no
// thread reads what another one writes. So the same code runs on a device,
// where the threads run at the same time, and in the CPU reference, where they
// run one after the other in any order.
#ifndef SLICE_MODEL_CUDA_ENCODER_PHASES_H_
#define SLICE_MODEL_CUDA_ENCODER_PHASES_H_

#include <math.h>

#include "model/cuda/encoder_arrays.h"

namespace slice {

// The thread that runs a step, among the threads of its block.
struct BlockThread {
  int index;
  int count;  // threads of the block
};

enum class Activation { kNone, kGelu, kRelu };

// The exact GELU: x times the normal distribution function at x.
SLICE_HOST_DEVICE inline float Gelu(float x) {
  return 0.5f * x * (1.0f + erff(x * 0.70710678118654752f));
}

SLICE_HOST_DEVICE inline float Activate(Activation activation, float x) {
  if (activation == Activation::kGelu) return Gelu(x);
  if (activation == Activation::kRelu) return x > 0 ? x : 0;
  return x;
}

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

// How many rows of x a thread multiplies with each weight that it reads.
inline constexpr int kRowsAtOnce = 4;

SLICE_HOST_DEVICE inline void Multiply(BlockThread thread,
                                       const ProductStep& step) {
  const ProductArrays product = step.product;
  const SourceRows x = step.x;
  const TargetRows to = step.to;
  const float* weights = step.weights;
  const float* weight = weights + product.weight;
  const int strips = (x.count + kRowsAtOnce - 1) / kRowsAtOnce;
  for (int item = thread.index; item < strips * product.out;
       item += thread.count) {
    const int column = item % product.out;
    const int first = item / product.out * kRowsAtOnce;
    const float bias =
        product.bias == kNoArray ? 0.0f : weights[product.bias + column];
    // Rows beyond the last one repeat it; their sums are not written.
    const float* of_row[kRowsAtOnce];
    float sum[kRowsAtOnce];
    for (int k = 0; k < kRowsAtOnce; ++k) {
      const int row = first + k < x.count ? first + k : x.count - 1;
      of_row[k] = x.first + static_cast<int64_t>(row) * x.stride;
      sum[k] = bias;
    }
    for (int i = 0; i < product.in; ++i) {
      const float w = weight[static_cast<int64_t>(i) * product.out + column];
      for (int k = 0; k < kRowsAtOnce; ++k) sum[k] += of_row[k][i] * w;
    }
    for (int k = 0; k < kRowsAtOnce && first + k < x.count; ++k) {
      float* at =
          to.first + static_cast<int64_t>(first + k) * to.stride + column;
      *at = Activate(step.activation, step.add ? *at + sum[k] : sum[k]);
    }
  }
}

// to[row] = the bias of the row's relation. A product with `add` then completes
// the relation product (RelationProductArrays).
struct StartStep {
  const float* weights;  // the array that the places in `layer` index
  RelationProductArrays layer;
  const int32_t* relation;  // [rows]
  int rows;
  float* to;  // [rows, layer.product.out]
};

SLICE_HOST_DEVICE inline void StartRows(BlockThread thread,
                                        const StartStep& step) {
  const int out = step.layer.product.out;
  const float* biases = step.weights + step.layer.biases;
  for (int item = thread.index; item < step.rows * out; item += thread.count) {
    step.to[item] =
        biases[static_cast<int64_t>(step.relation[item / out]) * out +
               item % out];
  }
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_PHASES_H_
