// A layer sums over the arcs before it multiplies: it makes one sum per node
// and base, then multiplies the sums with all bases at once.
#include "trainer/methods/messages/rgcn_encoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/mm.h>

#include <cmath>

#include "trainer/methods/messages/message_functions.h"

namespace slice {

RgcnEncoder::RgcnEncoder(const EncoderShape& shape, size_t relations, int bases)
    : GraphEncoder(shape, {.relations = true, .self_arcs = false}) {
  for (int i = 0; i < shape.layers; ++i) {
    const int input = shape.InputOf(i), output = shape.OutputOf(i);
    Layer layer;
    // The bounds give each W_r the variance that a matrix without bases would
    // have.
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
  const at::Tensor weights = TakeRows(parameter(own.of_relation), block.label) *
                             TensorLike(states, norms).unsqueeze(1);
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
