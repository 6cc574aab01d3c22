#include "trainer/methods/adagrad_step.h"

#include <algorithm>
#include <cmath>

#include "common/parallel.h"
#include "common/vectors.h"

namespace slice {
namespace {

constexpr size_t kRowsAtOnce = 256;

template <VectorSet kSet>
SLICE_VECTOR_LOOP void TakeAdagradStepBody(const AdagradStep& step) {
  const float* __restrict gradient = step.gradient;
  float* __restrict values = step.values;
  float* __restrict squares = step.squares;
  for (size_t k = 0; k < step.width; ++k) {
    squares[k] += gradient[k] * gradient[k];
    values[k] -= step.rate * gradient[k] / (std::sqrt(squares[k]) + 1e-10f);
  }
}

SLICE_VECTOR_KERNEL(TakeAdagradStepKernel, TakeAdagradStepBody,
                    (const AdagradStep& step), (step))

}  // namespace

void TakeAdagradStep(const AdagradStep& step) { TakeAdagradStepKernel(step); }

void UpdateRows(const RowGradients& gradients, std::vector<float>& values,
                std::vector<float>& squares) {
  const size_t width = gradients.width;
  ParallelFor(gradients.rows.size(), kRowsAtOnce, gradients.threads,
              [&](size_t begin, size_t end, int) {
                std::vector<float> sum(width);
                for (size_t i = begin; i < end; ++i) {
                  std::fill(sum.begin(), sum.end(), 0.0f);
                  for (const float* const part : gradients.parts) {
                    const float* from = part + i * width;
                    for (size_t k = 0; k < width; ++k) sum[k] += from[k];
                  }
                  const size_t row = gradients.rows[i] * gradients.stride;
                  TakeAdagradStep({gradients.rate, sum.data(), width,
                                   values.data() + row, squares.data() + row});
                }
              });
}

}  // namespace slice
