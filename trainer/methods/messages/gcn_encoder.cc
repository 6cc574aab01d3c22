#include "trainer/methods/messages/gcn_encoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addmm.h>

#include "trainer/methods/messages/message_functions.h"

namespace slice {

GcnEncoder::GcnEncoder(const EncoderShape& shape)
    : GraphEncoder(shape, {.relations = false, .self_arcs = true}) {
  for (int i = 0; i < shape.layers; ++i) {
    Layer layer;
    layer.weights = AddWeights(shape.InputOf(i), shape.OutputOf(i));
    layer.bias = AddBias(shape.OutputOf(i));
    layers_.push_back(layer);
  }
}

at::Tensor GcnEncoder::RunLayer(int layer, const MessageBlock& block,
                                const at::Tensor& states, bool training) const {
  const auto& [weights, bias] = layers_[static_cast<size_t>(layer)];
  const at::Tensor sums = SumMessages(
      block, TensorLike(states, SymmetricWeights(block, true)).unsqueeze(1),
      Drop(states, training), false);
  const at::Tensor output =
      at::addmm(parameter(bias), sums, parameter(weights));
  return shape().IsLast(layer) ? output : output.relu();
}

}  // namespace slice
