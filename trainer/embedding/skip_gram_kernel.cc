// A step copies its rows to scratch memory, multiplies them into dot products,
// turns these into gradient factors, and adds the weighted copies to the rows
// in the tables. Gradients thus come from the values before the step, and only
// the last part writes to memory that other threads see.
//
// The body is a template over the instruction set. It is compiled for each set:
// everything is inlined into a function whose attribute names the set. There
// are no lambdas, since they would not inherit the attribute.
#include "trainer/embedding/skip_gram_kernel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "common/vectors.h"

// The attributes of everything that is inlined into a kernel.
#define SLICE_INLINE \
  inline __attribute__((always_inline, no_sanitize("thread")))

namespace slice {
namespace {

// A vector in memory, at an address that is a multiple of its size.
template <VectorSet kSet>
struct AlignedFloats {
  typedef float Type __attribute__((vector_size(VectorBytes(kSet)), may_alias));
};

// Sigmoid by linear interpolation; its error is below 2e-6. Constant beyond
// +-16. NaN counts as -16: it must not become a place in the table.
class SigmoidTable {
 public:
  static constexpr float kLimit = 16;
  static constexpr int kSteps = 4096;

  SigmoidTable() {
    for (int i = 0; i <= kSteps; ++i) {
      const double x = (2.0 * i / kSteps - 1) * kLimit;
      values_[i] = static_cast<float>(1 / (1 + std::exp(-x)));
    }
    values_[kSteps + 1] = values_[kSteps];
  }

  SLICE_INLINE float operator()(float x) const {
    const float clipped = !(x > -kLimit) ? -kLimit : x > kLimit ? kLimit : x;
    const float place = (clipped + kLimit) * (kSteps / (2 * kLimit));
    const int step = static_cast<int>(place);
    const float part = place - static_cast<float>(step);
    return values_[step] + part * (values_[step + 1] - values_[step]);
  }

 private:
  std::array<float, kSteps + 2> values_;
};

const SigmoidTable& Sigmoids() {
  static const SigmoidTable table;
  return table;
}

template <VectorSet kSet>
SLICE_INLINE void CopyRow(const float* from, float* to, int stride) {
  using V = typename AlignedFloats<kSet>::Type;
  for (int k = 0; k < stride; k += kLanes<kSet>) {
    *reinterpret_cast<V*>(to + k) = *reinterpret_cast<const V*>(from + k);
  }
}

// Dot products of one input with kTile consecutive outputs.
template <VectorSet kSet, int kTile>
SLICE_INLINE void DotTile(const float* input, const float* outputs, int stride,
                          float* products) {
  using V = typename AlignedFloats<kSet>::Type;
  V sums[kTile] = {};
  for (int k = 0; k < stride; k += kLanes<kSet>) {
    const V value = *reinterpret_cast<const V*>(input + k);
#pragma GCC unroll 8
    for (int j = 0; j < kTile; ++j) {
      sums[j] += value * *reinterpret_cast<const V*>(outputs + j * stride + k);
    }
  }
#pragma GCC unroll 8
  for (int j = 0; j < kTile; ++j) products[j] = Sum(Floats<kSet>(sums[j]));
}

// row += sum over i of weights[i * weight_stride] * others[i * stride].
template <VectorSet kSet>
SLICE_INLINE void AddWeighted(float* row, const float* others, int count,
                              const float* weights, int weight_stride,
                              int stride) {
  using V = typename AlignedFloats<kSet>::Type;
  constexpr int kBlocks = 4;
  constexpr int kStep = kLanes<kSet>;
  int k = 0;
  for (; k + kBlocks * kStep <= stride; k += kBlocks * kStep) {
    V sums[kBlocks];
#pragma GCC unroll 4
    for (int b = 0; b < kBlocks; ++b) {
      sums[b] = *reinterpret_cast<const V*>(row + k + b * kStep);
    }
    for (int i = 0; i < count; ++i) {
      const float weight = weights[i * weight_stride];
      const float* other = others + i * stride + k;
#pragma GCC unroll 4
      for (int b = 0; b < kBlocks; ++b) {
        sums[b] += weight * *reinterpret_cast<const V*>(other + b * kStep);
      }
    }
#pragma GCC unroll 4
    for (int b = 0; b < kBlocks; ++b) {
      *reinterpret_cast<V*>(row + k + b * kStep) = sums[b];
    }
  }
  for (; k < stride; k += kStep) {
    V sum = *reinterpret_cast<const V*>(row + k);
    for (int i = 0; i < count; ++i) {
      sum += weights[i * weight_stride] *
             *reinterpret_cast<const V*>(others + i * stride + k);
    }
    *reinterpret_cast<V*>(row + k) = sum;
  }
}

// Replaces each product by learning_rate * (label - sigmoid(product)); returns
// the loss when `measure` is set.
SLICE_INLINE double ProductsToGradients(const SkipGramStep& step,
                                        const SigmoidTable& sigmoid,
                                        bool measure) {
  double loss = 0;
  for (int i = 0; i < step.input_count; ++i) {
    for (int j = 0; j < step.output_count; ++j) {
      float& weight = step.weights[i * step.output_count + j];
      const float label = j == 0 ? 1 : 0;
      const float probability = sigmoid(weight);
      if (measure) {
        const float right = j == 0 ? probability : 1 - probability;
        loss -= std::log(std::max(right, 1e-7f));
      }
      weight = step.learning_rate * (label - probability);
    }
  }
  return loss;
}

template <VectorSet kSet>
SLICE_INLINE double RunStep(const SkipGramStep& step, bool measure) {
  const int stride = step.stride;
  float* const inputs = step.scratch;
  float* const outputs = step.scratch + step.input_count * stride;
  for (int i = 0; i < step.input_count; ++i) {
    CopyRow<kSet>(step.inputs[i], inputs + i * stride, stride);
  }
  for (int j = 0; j < step.output_count; ++j) {
    CopyRow<kSet>(step.outputs[j], outputs + j * stride, stride);
  }
  for (int i = 0; i < step.input_count; ++i) {
    float* const products = step.weights + i * step.output_count;
    int j = 0;
    for (; j + 6 <= step.output_count; j += 6) {
      DotTile<kSet, 6>(inputs + i * stride, outputs + j * stride, stride,
                       products + j);
    }
    for (; j < step.output_count; ++j) {
      DotTile<kSet, 1>(inputs + i * stride, outputs + j * stride, stride,
                       products + j);
    }
  }
  const double loss = ProductsToGradients(step, Sigmoids(), measure);
  for (int i = 0; i < step.input_count; ++i) {
    AddWeighted<kSet>(step.inputs[i], outputs, step.output_count,
                      step.weights + i * step.output_count, 1, stride);
  }
  for (int j = 0; j < step.output_count; ++j) {
    AddWeighted<kSet>(step.outputs[j], inputs, step.input_count,
                      step.weights + j, step.output_count, stride);
  }
  return loss;
}

__attribute__((no_sanitize("thread"))) double RunPortable(
    const SkipGramStep& step, bool measure) {
  return RunStep<VectorSet::kPortable>(step, measure);
}

#if defined(__x86_64__)
__attribute__((no_sanitize("thread"), target("avx2,fma"))) double RunAvx2(
    const SkipGramStep& step, bool measure) {
  return RunStep<VectorSet::kAvx2>(step, measure);
}

__attribute__((no_sanitize("thread"), target("avx512f,avx2,fma"))) double
RunAvx512(const SkipGramStep& step, bool measure) {
  return RunStep<VectorSet::kAvx512>(step, measure);
}
#endif

}  // namespace

std::vector<SkipGramKernel> SupportedSkipGramKernels() {
  std::vector<SkipGramKernel> kernels;
#if defined(__x86_64__)
  const VectorSet set = MachineVectorSet();
  if (set >= VectorSet::kAvx512) kernels.push_back(&RunAvx512);
  if (set >= VectorSet::kAvx2) kernels.push_back(&RunAvx2);
#endif
  kernels.push_back(&RunPortable);
  return kernels;
}

}  // namespace slice
