// Every layer drops numbers of its input while training, sums over the arcs of
// the block and multiplies by its matrices; the sums come from
// trainer/methods/messages/message_functions.h. GCN and R-GCN sum before they
// multiply. GAT multiplies first, because the weights of its arcs depend on the
// products.
//
// A constructor adds the parameters of a layer in the order in which struct
// Layer lists them. The tests index parameters by this order.
#include "trainer/methods/messages/graph_convolutions.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/mm.h>

#include <cmath>

#include "trainer/methods/messages/message_functions.h"

namespace slice {
namespace {

// The slope of LeakyReLU below 0, as in the paper of GAT.
constexpr double kLeak = 0.2;

at::Tensor Column(const at::Tensor& like, std::span<const float> values) {
  return TensorLike(like, values).unsqueeze(1);
}

}  // namespace

GcnEncoder::GcnEncoder(const EncoderShape& shape) : GraphEncoder(shape) {
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
  const at::Tensor sums =
      SumMessages(block, Column(states, SymmetricWeights(block, true)),
                  Drop(states, training), false);
  const at::Tensor output =
      at::addmm(parameter(bias), sums, parameter(weights));
  return shape().IsLast(layer) ? output : output.relu();
}

GatEncoder::GatEncoder(const EncoderShape& shape, int heads)
    : GraphEncoder(shape), heads_(heads) {
  for (int i = 0; i < shape.layers; ++i) {
    Layer layer;
    const int output = shape.OutputOf(i);
    const int of_head = shape.IsLast(i) ? output : output / heads;
    layer.weights = AddWeights(shape.InputOf(i), heads * of_head);
    layer.bias = AddBias(output);
    layer.of_destination = AddWeights(heads, of_head);
    layer.of_source = AddWeights(heads, of_head);
    layers_.push_back(layer);
  }
}

at::Tensor GatEncoder::RunLayer(int layer, const MessageBlock& block,
                                const at::Tensor& states, bool training) const {
  const Layer& own = layers_[static_cast<size_t>(layer)];
  const at::Tensor values =
      at::mm(Drop(states, training), parameter(own.weights));
  const at::Tensor by_head = values.view({values.size(0), heads_, -1});
  // [sources, heads]
  const at::Tensor source_scores = (by_head * parameter(own.of_source)).sum(-1);
  const at::Tensor destination_scores =
      (by_head.narrow(0, 0, static_cast<int64_t>(block.destination_count)) *
       parameter(own.of_destination))
          .sum(-1);
  const at::Tensor scores =
      at::leaky_relu(TakeRows(destination_scores, block.destination) +
                         TakeRows(source_scores, block.source),
                     kLeak);
  const at::Tensor shares = Drop(SoftmaxOfArcs(block, scores), training);
  const at::Tensor sums = SumMessages(block, shares, values, false);
  if (!shape().IsLast(layer)) return at::elu(sums + parameter(own.bias));
  return sums.view({sums.size(0), heads_, -1}).mean(1) + parameter(own.bias);
}

RgcnEncoder::RgcnEncoder(const EncoderShape& shape, size_t relations, int bases)
    : GraphEncoder(shape) {
  for (int i = 0; i < shape.layers; ++i) {
    const int input = shape.InputOf(i), output = shape.OutputOf(i);
    Layer layer;
    // The bounds give each W_r the variance of a matrix of its own.
    layer.bases =
        AddUniform(bases * input, output, std::sqrt(6.0 / (input + output)));
    layer.of_relation = AddUniform(static_cast<int>(2 * relations), bases,
                                   std::sqrt(3.0 / bases));
    layer.self = AddWeights(input, output);
    layer.bias = AddBias(output);
    layers_.push_back(layer);
  }
}

at::Tensor RgcnEncoder::RunLayer(int layer, const MessageBlock& block,
                                 const at::Tensor& states,
                                 bool training) const {
  const Layer& own = layers_[static_cast<size_t>(layer)];
  const at::Tensor inputs = Drop(states, training);
  std::vector<float> norms(block.arc_count());
  for (size_t arc = 0; arc < norms.size(); ++arc) {
    norms[arc] = block.scale[arc] / block.same_label_arcs[arc];
  }
  const at::Tensor weights =
      TakeRows(parameter(own.of_relation), block.label) * Column(states, norms);
  // [destinations, bases * input]
  const at::Tensor sums = SumMessages(block, weights, inputs, true);
  const at::Tensor self =
      inputs.narrow(0, 0, static_cast<int64_t>(block.destination_count));
  const at::Tensor output = at::mm(sums, parameter(own.bases)) +
                            at::mm(self, parameter(own.self)) +
                            parameter(own.bias);
  return shape().IsLast(layer) ? output : output.relu();
}

}  // namespace slice
