// The vectors of a key and of a message depend on the source and on the label
// of an arc alone. They are computed once for each pair of these
// (trainer/methods/messages/labelled_sources.h), and arcs refer to them.
#include "trainer/methods/messages/hgt_encoder.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/gelu.h>

#include <cmath>

#include "trainer/methods/messages/labelled_sources.h"
#include "trainer/methods/messages/message_functions.h"

namespace slice {

HgtEncoder::HgtEncoder(const EncoderShape& shape, size_t node_types,
                       size_t relations, int heads)
    : GraphEncoder(
          shape,
          {.relations = true, .self_arcs = true, .labelled_sources = true}),
      node_types_(node_types),
      heads_(heads) {
  const int types = static_cast<int>(node_types);
  const int labels = static_cast<int>(2 * relations + 1);
  for (int i = 0; i < shape.layers; ++i) {
    const int input = shape.InputOf(i), output = shape.OutputOf(i);
    const int of_head = output / heads;
    // The bounds are those that a matrix of one type or label would have.
    const double of_type = std::sqrt(6.0 / (input + output));
    const double of_label = std::sqrt(3.0 / of_head);
    Layer layer;
    layer.keys = AddUniform(types * input, output, of_type);
    layer.queries = AddUniform(types * input, output, of_type);
    layer.values = AddUniform(types * input, output, of_type);
    layer.outputs = AddUniform(types * output, output, std::sqrt(3.0 / output));
    layer.attention = AddUniform(labels * output, of_head, of_label);
    layer.messages = AddUniform(labels * output, of_head, of_label);
    layer.prior = AddConstant(labels, heads, 1);
    if (input == output) layer.gate = AddConstant(types, 1, 1);
    layers_.push_back(layer);
  }
}

at::Tensor HgtEncoder::OfPairs(const MessageBlock& block,
                               const at::Tensor& of_sources,
                               const at::Tensor& matrices) const {
  const LabelledSources& pairs = *block.labelled_sources;
  const int64_t width = of_sources.size(1), of_head = width / heads_;
  std::vector<int64_t> counts;
  for (size_t label = 0; label + 1 < pairs.label_start.size(); ++label) {
    counts.push_back(static_cast<int64_t>(pairs.label_start[label + 1]) -
                     static_cast<int64_t>(pairs.label_start[label]));
  }
  // Each is parted once for all labels: the gradient of a part taken alone
  // would be a whole tensor of zeros around it.
  const std::vector<at::Tensor> rows =
      TakeRows(of_sources, pairs.source)
          .view({-1, heads_, of_head})
          .transpose(0, 1)  // [heads, pairs, w]
          .split_with_sizes(counts, 1);
  const std::vector<at::Tensor> of_labels =
      matrices.view({-1, heads_, of_head, of_head}).unbind();
  std::vector<at::Tensor> products;
  for (size_t label = 0; label < counts.size(); ++label) {
    if (counts[label] == 0) continue;
    products.push_back(at::bmm(rows[label], of_labels[label]));
  }
  return at::cat(products, 1).transpose(0, 1).reshape({-1, width});
}

at::Tensor HgtEncoder::Attend(const Layer& own, const MessageBlock& block,
                              const at::Tensor& states, const TypedRows& rows,
                              bool training) const {
  const at::Tensor keys =
      OfPairs(block, rows.Multiply(states, parameter(own.keys)),
              parameter(own.attention));
  const at::Tensor queries =
      rows.Multiply(states, parameter(own.queries))
          .narrow(0, 0, static_cast<int64_t>(block.destination_count));
  const double scale =
      1 / std::sqrt(static_cast<double>(keys.size(1) / heads_));
  const at::Tensor scores =
      DotArcEnds(block.labelled_sources->arcs, queries, keys, heads_) *
      TakeRows(parameter(own.prior), block.label) * scale;
  return Drop(SoftmaxOfArcs(block, scores), training);
}

at::Tensor HgtEncoder::RunLayer(int layer, const MessageBlock& block,
                                const at::Tensor& states, bool training) const {
  const Layer& own = layers_[static_cast<size_t>(layer)];
  const TypedRows rows(block.type, node_types_);
  const at::Tensor inputs = Drop(states, training);
  const at::Tensor messages =
      OfPairs(block, rows.Multiply(inputs, parameter(own.values)),
              parameter(own.messages));
  const at::Tensor shares = Attend(own, block, inputs, rows, training);
  const at::Tensor sums =
      SumMessages(block.labelled_sources->arcs, shares, messages, false);
  const TypedRows destinations(
      std::span<const uint32_t>(block.type).first(block.destination_count),
      node_types_);
  const at::Tensor outputs =
      destinations.Multiply(at::gelu(sums), parameter(own.outputs));
  if (!own.gate.has_value()) return outputs;
  const at::Tensor share = destinations.Take(parameter(*own.gate)).sigmoid();
  return share * outputs +
         (1 - share) *
             states.narrow(0, 0, static_cast<int64_t>(block.destination_count));
}

}  // namespace slice
