// Steps of the encoder kernel. The function of a step does the work of one
// thread of a block. Between two steps there is a barrier; within a step no
// thread reads what another one writes. So the same code runs on a device,
// where the threads run at the same time, and in the CPU reference, where they
// run one after the other in any order.
#ifndef SLICE_MODEL_CUDA_ENCODER_PHASES_H_
#define SLICE_MODEL_CUDA_ENCODER_PHASES_H_

#include <math.h>

#include "model/cuda/encoder_arrays.h"
#include "model/cuda/encoder_group.h"

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

// Copies the pair features of all rows to `to` [rows, QuadStride(size)].
SLICE_HOST_DEVICE inline void CopyPairFeatures(BlockThread thread,
                                               const StructuralInputs& in,
                                               int size, float* to) {
  for (int item = thread.index; item < in.rows * size; item += thread.count) {
    const int64_t row = item / size;
    to[row * QuadStride(size) + item % size] = in.pair_features[item];
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
