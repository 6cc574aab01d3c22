// A layer multiplies the vectors by W before it sums over the arcs, because the
// weights of the arcs depend on the products.
#include "trainer/methods/messages/gat_encoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/mm.h>

#include "trainer/methods/messages/message_functions.h"

namespace slice {
namespace {

// The slope of LeakyReLU below 0, as in the paper.
constexpr double kLeak = 0.2;

}  // namespace

GatEncoder::GatEncoder(const EncoderShape& shape, int heads)
    : GraphEncoder(shape, {.relations = false, .self_arcs = true}),
      heads_(heads) {
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

}  // namespace slice
