// Message passing as LibTorch functions with gradients, for float and double.
//
// Needs LibTorch: for .cc files of trainer/ only. The blocks and indexes that a
// function receives must live until after backward(), which reads them.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_FUNCTIONS_H_
#define SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_FUNCTIONS_H_

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

#include "trainer/methods/messages/compose_kernels.h"
#include "trainer/methods/messages/message_block.h"

namespace slice {

// [destinations, heads * width]: for every node and head, the sum of weight
// times value over the arcs into the node. Weights are [arcs, heads]. Values
// are [sources, heads * width], or [sources, width] when all heads share them.
at::Tensor SumMessages(const MessageBlock& block, const at::Tensor& weights,
                       const at::Tensor& values, bool shared_values);

// [destinations, 2 * width]: for every node, the sum over the arcs into it of
// the weight times the composition of values with labels. Weights are [arcs],
// values [sources, width] and labels [labels, width]. The first half of a row
// is the sum along links, the second half the sum against links. Weights get no
// gradient.
at::Tensor SumComposedMessages(const MessageBlock& block,
                               Composition composition,
                               const at::Tensor& weights,
                               const at::Tensor& values,
                               const at::Tensor& labels);

// The softmax of scores [arcs, heads] over the arcs into each node.
at::Tensor SoftmaxOfArcs(const MessageBlock& block, const at::Tensor& scores);

// [arcs, heads]: for every arc and head, the dot product of the row of its
// destination in `destinations` [destinations, heads * width] with the row of
// its source in `sources` [sources, heads * width]. Copies no row.
at::Tensor DotArcEnds(const MessageBlock& block, const at::Tensor& destinations,
                      const at::Tensor& sources, int64_t heads);

// [index, width]: the rows of table [rows, width] that `index` lists.
at::Tensor TakeRows(const at::Tensor& table, std::span<const uint32_t> index);

// A copy of `values` as a tensor of the type of `like`, without gradient.
at::Tensor TensorLike(const at::Tensor& like, std::span<const float> values);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_FUNCTIONS_H_
