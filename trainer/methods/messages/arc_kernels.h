// The loops over arcs that all message passing comes down to, and those of
// their gradients. For float and double. Sums into one row are made by one
// thread in a fixed order: results do not depend on the number of threads,
// which is LibTorch's.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_ARC_KERNELS_H_
#define SLICE_TRAINER_METHODS_MESSAGES_ARC_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "trainer/methods/messages/message_block.h"

namespace slice {

// Widths of the arrays below. Values have either as many heads as weights, or
// one that all weights share.
struct ArcShape {
  size_t heads = 1;        // of weights and sums
  size_t value_heads = 1;  // `heads`, or 1
  size_t width = 0;        // numbers per head
};

// sums[d, h] = sum over arcs a from s into d of weights[a, h] values[s, h].
// weights [arcs, heads], values [sources, value_heads, width],
// sums [destinations, heads, width].
template <typename T>
void SumArcs(const MessageBlock& block, const ArcShape& shape, const T* weights,
             const T* values, T* sums);

// The gradient for the values, from that for the sums.
template <typename T>
void SumArcsBack(const MessageBlock& block, const ArcShape& shape,
                 const T* weights, const T* sum_gradients, T* value_gradients);

// The gradient for the weights: dot products of sum gradients and values.
template <typename T>
void DotArcs(const MessageBlock& block, const ArcShape& shape,
             const T* sum_gradients, const T* values, T* weight_gradients);

// shares[a, h] = exp(scores[a, h]) over the sum of it for all arcs into the
// same destination. Both [arcs, heads].
template <typename T>
void SoftmaxArcs(const MessageBlock& block, size_t heads, const T* scores,
                 T* shares);

// The gradient for the scores, from the shares and their gradient.
template <typename T>
void SoftmaxArcsBack(const MessageBlock& block, size_t heads, const T* shares,
                     const T* share_gradients, T* score_gradients);

// sums[r] = sum over i with index[i] == r of rows[i], in the order of i. sums
// [row_count, width], rows [index, width].
template <typename T>
void AddRowsByIndex(std::span<const uint32_t> index, size_t row_count,
                    size_t width, const T* rows, T* sums);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_ARC_KERNELS_H_
