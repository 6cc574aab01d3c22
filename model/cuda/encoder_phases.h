// The steps of the encoder kernel, each as what one thread of a block does:
// between two steps there is a barrier, within a step no thread reads what
// another writes. So the same lines run on a device, thread beside thread, and
// in the CPU reference, thread after thread in any order.
//
// Every step takes the thread's index and the number of threads first. Rows
// stand `stride` floats apart.
#ifndef SLICE_MODEL_CUDA_ENCODER_PHASES_H_
#define SLICE_MODEL_CUDA_ENCODER_PHASES_H_

#include <math.h>

#include "model/cuda/encoder_arrays.h"

namespace slice {

enum class Activation { kNone, kGelu, kRelu };

// Exact: x times the normal distribution function at x.
SLICE_HOST_DEVICE inline float Gelu(float x) {
  return 0.5f * x * (1.0f + erff(x * 0.70710678118654752f));
}

SLICE_HOST_DEVICE inline float Activate(Activation activation, float x) {
  if (activation == Activation::kGelu) return Gelu(x);
  if (activation == Activation::kRelu) return x > 0 ? x : 0;
  return x;
}

// Rows of x that a thread multiplies at once with a weight it has read.
inline constexpr int kRowsAtOnce = 4;

// to = activation(x W + b), or with `add` to += x W + b. `to` is not `x`.
SLICE_HOST_DEVICE inline void Multiply(int thread, int threads,
                                       const float* weights,
                                       const ProductArrays& product,
                                       const float* x, int stride, int rows,
                                       float* to, int to_stride, bool add,
                                       Activation activation) {
  const float* weight = weights + product.weight;
  const int strips = (rows + kRowsAtOnce - 1) / kRowsAtOnce;
  for (int item = thread; item < strips * product.out; item += threads) {
    const int column = item % product.out;
    const int first = item / product.out * kRowsAtOnce;
    const float bias =
        product.bias == kNoArray ? 0.0f : weights[product.bias + column];
    // Rows beyond the last repeat it and are not written.
    const float* of_row[kRowsAtOnce];
    float sum[kRowsAtOnce];
    for (int k = 0; k < kRowsAtOnce; ++k) {
      const int row = first + k < rows ? first + k : rows - 1;
      of_row[k] = x + static_cast<int64_t>(row) * stride;
      sum[k] = bias;
    }
    for (int i = 0; i < product.in; ++i) {
      const float w = weight[static_cast<int64_t>(i) * product.out + column];
      for (int k = 0; k < kRowsAtOnce; ++k) sum[k] += of_row[k][i] * w;
    }
    for (int k = 0; k < kRowsAtOnce && first + k < rows; ++k) {
      float* at = to + static_cast<int64_t>(first + k) * to_stride + column;
      *at = Activate(activation, add ? *at + sum[k] : sum[k]);
    }
  }
}

// partial[row, lane] = sum of every kNormLanes-th float of the row.
SLICE_HOST_DEVICE inline void SumRows(int thread, int threads, const float* x,
                                      int stride, int rows, int size,
                                      float* partial) {
  for (int item = thread; item < rows * kNormLanes; item += threads) {
    const float* of_row = x + static_cast<int64_t>(item / kNormLanes) * stride;
    float sum = 0;
    for (int i = item % kNormLanes; i < size; i += kNormLanes) sum += of_row[i];
    partial[item] = sum;
  }
}

SLICE_HOST_DEVICE inline float MeanOfLanes(const float* partial, int row,
                                           int size) {
  float sum = 0;
  for (int i = 0; i < kNormLanes; ++i) sum += partial[row * kNormLanes + i];
  return sum / static_cast<float>(size);
}

// squares[row, lane] = the same sums of (x - mean)^2.
SLICE_HOST_DEVICE inline void SumSquares(int thread, int threads,
                                         const float* x, int stride, int rows,
                                         int size, const float* partial,
                                         float* squares) {
  for (int item = thread; item < rows * kNormLanes; item += threads) {
    const int row = item / kNormLanes;
    const float mean = MeanOfLanes(partial, row, size);
    const float* of_row = x + static_cast<int64_t>(row) * stride;
    float sum = 0;
    for (int i = item % kNormLanes; i < size; i += kNormLanes) {
      sum += (of_row[i] - mean) * (of_row[i] - mean);
    }
    squares[item] = sum;
  }
}

// to = (x - mean) / sqrt(variance + 1e-5) * gain + shift; `to` may be `x`.
SLICE_HOST_DEVICE inline void ApplyNorm(int thread, int threads,
                                        const float* weights,
                                        const NormArrays& norm, const float* x,
                                        int stride, int rows, int size,
                                        const float* partial,
                                        const float* squares, float* to) {
  for (int item = thread; item < rows * kNormLanes; item += threads) {
    const int row = item / kNormLanes;
    const float mean = MeanOfLanes(partial, row, size);
    const float scale = 1 / sqrtf(MeanOfLanes(squares, row, size) + 1e-5f);
    const int64_t begin = static_cast<int64_t>(row) * stride;
    for (int i = item % kNormLanes; i < size; i += kNormLanes) {
      to[begin + i] = (x[begin + i] - mean) * scale * weights[norm.gain + i] +
                      weights[norm.shift + i];
    }
  }
}

// to[row] = the bias of the row's relation.
SLICE_HOST_DEVICE inline void StartRows(int thread, int threads,
                                        const float* weights,
                                        const RelationProductArrays& layer,
                                        const int32_t* relation, int rows,
                                        float* to) {
  const int out = layer.product.out;
  for (int item = thread; item < rows * out; item += threads) {
    to[item] =
        weights[layer.biases +
                static_cast<int64_t>(relation[item / out]) * out + item % out];
  }
}

}  // namespace slice

#endif  // SLICE_MODEL_CUDA_ENCODER_PHASES_H_
