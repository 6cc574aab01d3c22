#include "trainer/methods/messages/graph_encoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include <cmath>

namespace slice {

void GraphEncoder::SetParameters(const std::vector<at::Tensor>& values) {
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    parameters_[i].copy_(values[i]);
  }
}

void GraphEncoder::ToDouble() {
  for (at::Tensor& parameter : parameters_) {
    parameter = parameter.detach().to(at::kDouble).set_requires_grad(true);
  }
}

size_t GraphEncoder::AddWeights(int rows, int columns) {
  return AddUniform(rows, columns, std::sqrt(6.0 / (rows + columns)));
}

size_t GraphEncoder::AddUniform(int rows, int columns, double bound) {
  parameters_.push_back(at::empty({rows, columns})
                            .uniform_(-bound, bound)
                            .set_requires_grad(true));
  return parameters_.size() - 1;
}

size_t GraphEncoder::AddConstant(int rows, int columns, double value) {
  parameters_.push_back(
      at::full({rows, columns}, value, at::kFloat).set_requires_grad(true));
  return parameters_.size() - 1;
}

at::Tensor GraphEncoder::Drop(const at::Tensor& states, bool training) const {
  if (!training || shape_.dropout == 0) return states;
  return at::dropout(states, shape_.dropout, true);
}

}  // namespace slice
