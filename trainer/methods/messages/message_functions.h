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

// [destinations, heads * width]: for every head, the sum over the arcs into a
// node of weights [arcs, heads] times values. Values are [sources, heads *
// width], or [sources, width] when all heads share them.
at::Tensor SumMessages(const MessageBlock& block, const at::Tensor& weights,
                       const at::Tensor& values, bool shared_values);

// [destinations, 2 * width]: the sums over the arcs into a node of weights
// [arcs] times the composition of values [sources, width] with labels [labels,
// width]. The first half is the sum along links, the second half the sum
// against links. Weights get no gradient.
at::Tensor SumComposedMessages(const MessageBlock& block,
                               Composition composition,
                               const at::Tensor& weights,
                               const at::Tensor& values,
                               const at::Tensor& labels);

// The softmax of scores [arcs, heads] over the arcs into each node.
at::Tensor SoftmaxOfArcs(const MessageBlock& block, const at::Tensor& scores);

// [arcs]: the dot product of states [sources, width] at both ends of each arc.
// Copies no row. REQUIRES: all sources are destinations.
at::Tensor DotEnds(const MessageBlock& block, const at::Tensor& states);

// [index, width]: the rows of table [rows, width] that `index` lists.
at::Tensor TakeRows(const at::Tensor& table, std::span<const uint32_t> index);

// A copy of `values` as a tensor of the type of `like`, without gradient.
at::Tensor TensorLike(const at::Tensor& like, std::span<const float> values);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_MESSAGE_FUNCTIONS_H_
