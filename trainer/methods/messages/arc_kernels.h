// The loops over arcs that every kind of message passing uses, and the loops of
// their gradients, for float and double. Each sum is made by one thread in a
// fixed order, so that results do not depend on the number of threads. The
// threads are those of LibTorch.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_ARC_KERNELS_H_
#define SLICE_TRAINER_METHODS_MESSAGES_ARC_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "trainer/methods/messages/message_block.h"

namespace slice {

// The widths of the arrays below. The weights have one number per head. The
// values have as many heads as the weights, or one head that all heads of the
// weights share.
struct ArcShape {
  size_t heads = 1;        // heads of weights and sums
  size_t value_heads = 1;  // `heads`, or 1
  size_t width = 0;        // numbers per head
};

// sums[d, h] = sum over arcs a from s into d of weights[a, h] values[s, h].
// Shapes: weights [arcs, heads], values [sources, value_heads, width], sums
// [destinations, heads, width].
template <typename T>
void SumArcs(const MessageBlock& block, const ArcShape& shape, const T* weights,
             const T* values, T* sums);

// The gradient of the values, from the gradient of the sums. The shapes are as
// for SumArcs().
template <typename T>
void SumArcsBack(const MessageBlock& block, const ArcShape& shape,
                 const T* weights, const T* sum_gradients, T* value_gradients);

// The gradient of the weights: dot products of the gradients of the sums with
// the values. The shapes are as for SumArcs().
template <typename T>
void DotArcs(const MessageBlock& block, const ArcShape& shape,
             const T* sum_gradients, const T* values, T* weight_gradients);

// The softmax over the arcs into each destination, for scores and shares [arcs,
// heads]. With b over all arcs into the same destination as arc a:
//   shares[a, h] = exp(scores[a, h]) / sum_b exp(scores[b, h])
template <typename T>
void SoftmaxArcs(const MessageBlock& block, size_t heads, const T* scores,
                 T* shares);

// The gradient of the scores, from the shares and their gradient.
template <typename T>
void SoftmaxArcsBack(const MessageBlock& block, size_t heads, const T* shares,
                     const T* share_gradients, T* score_gradients);

// sums[r] = sum of rows[i] over all i with index[i] == r, in the order of i.
// Shapes: sums [row_count, width], rows [index, width].
template <typename T>
void AddRowsByIndex(std::span<const uint32_t> index, size_t row_count,
                    size_t width, const T* rows, T* sums);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_ARC_KERNELS_H_
