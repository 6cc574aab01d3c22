#include "trainer/methods/messages/node_table.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

namespace slice {
namespace {

constexpr int64_t kRowsAtOnce = 512;
constexpr float kMeanDecay = 0.9f, kSquareDecay = 0.999f, kEpsilon = 1e-8f;

}  // namespace

NodeTable::NodeTable(size_t nodes, int dim)
    : values_(at::randn({static_cast<int64_t>(nodes), dim}) /
              std::sqrt(static_cast<double>(dim))),
      mean_(at::zeros_like(values_)),
      square_(at::zeros_like(values_)) {}

// True when `nodes` lists all nodes in ascending order.
bool NodeTable::IsWhole(std::span<const NodeId> nodes) const {
  if (nodes.size() != static_cast<size_t>(values_.size(0))) return false;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i] != i) return false;
  }
  return true;
}

at::Tensor NodeTable::Rows(std::span<const NodeId> nodes) const {
  const at::Tensor rows =
      IsWhole(nodes)
          ? values_.detach()
          : values_.index_select(
                0,
                at::from_blob(const_cast<NodeId*>(nodes.data()),
                              {static_cast<int64_t>(nodes.size())}, at::kInt));
  return rows.detach().set_requires_grad(true);
}

void NodeTable::Update(std::span<const NodeId> nodes,
                       const at::Tensor& gradient,
                       const RowAdamOptions& options) {
  const at::Tensor gradients = gradient.contiguous();
  const int64_t dim = values_.size(1);
  ++steps_;
  const double mean_bias = 1 - std::pow(kMeanDecay, steps_);
  const double square_bias = 1 - std::pow(kSquareDecay, steps_);
  const auto rate = static_cast<float>(options.learning_rate / mean_bias);
  const auto root = static_cast<float>(1 / std::sqrt(square_bias));
  const auto keep =
      static_cast<float>(1 - options.learning_rate * options.weight_decay);
  const float* const all = gradients.const_data_ptr<float>();
  float* const values = values_.data_ptr<float>();
  float* const means = mean_.data_ptr<float>();
  float* const squares = square_.data_ptr<float>();
  at::parallel_for(0, static_cast<int64_t>(nodes.size()), kRowsAtOnce,
                   [&](int64_t begin, int64_t end) {
                     for (int64_t i = begin; i < end; ++i) {
                       const int64_t row = nodes[static_cast<size_t>(i)] * dim;
                       const float* const g = all + i * dim;
                       for (int64_t k = 0; k < dim; ++k) {
                         float& mean = means[row + k];
                         float& square = squares[row + k];
                         mean += (1 - kMeanDecay) * (g[k] - mean);
                         square += (1 - kSquareDecay) * (g[k] * g[k] - square);
                         values[row + k] =
                             keep * values[row + k] -
                             rate * mean /
                                 (std::sqrt(square) * root + kEpsilon);
                       }
                     }
                   });
}

}  // namespace slice
