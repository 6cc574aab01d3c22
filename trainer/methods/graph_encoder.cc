#include "trainer/methods/graph_encoder.h"

#include <ATen/ATen.h>

#include <cmath>

namespace slice {

void GraphEncoder::SetParameters(const std::vector<torch::Tensor>& values) {
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    parameters_[i].copy_(values[i]);
  }
}

void GraphEncoder::ToDouble() {
  for (torch::Tensor& parameter : parameters_) {
    parameter = parameter.detach().to(torch::kDouble).set_requires_grad(true);
  }
}

size_t GraphEncoder::AddWeights(int rows, int columns) {
  return AddUniform(rows, columns, std::sqrt(6.0 / (rows + columns)));
}

size_t GraphEncoder::AddUniform(int rows, int columns, double bound) {
  parameters_.push_back(torch::empty({rows, columns})
                            .uniform_(-bound, bound)
                            .set_requires_grad(true));
  return parameters_.size() - 1;
}

size_t GraphEncoder::AddBias(int columns) {
  parameters_.push_back(torch::zeros({1, columns}).set_requires_grad(true));
  return parameters_.size() - 1;
}

torch::Tensor GraphEncoder::Drop(const torch::Tensor& states,
                                 bool training) const {
  if (!training || shape_.dropout == 0) return states;
  return at::dropout(states, shape_.dropout, true);
}

}  // namespace slice
