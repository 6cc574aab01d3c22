// The loops that sum messages which depend on the relation, and the loops of
// their gradients, for float and double. A message composes the values of a
// neighbour with the vector of the label of the arc, number by number. Sums are
// made in a fixed order, so that results do not depend on the number of
// threads. The threads are those of LibTorch.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_COMPOSE_KERNELS_H_
#define SLICE_TRAINER_METHODS_MESSAGES_COMPOSE_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "trainer/methods/messages/message_block.h"

namespace slice {

enum class Composition : uint8_t { kDifference, kProduct };

// Messages along links (even labels) and messages against links (odd labels)
// are summed separately.
inline constexpr size_t kDirections = 2;

// The inputs of the loops below. `gradients` holds the gradients of the sums;
// only the loops of gradients read it.
template <typename T>
struct ComposeArguments {
  const MessageBlock* block = nullptr;
  Composition composition = Composition::kProduct;
  size_t label_count = 0;
  size_t width = 0;
  const T* weights = nullptr;    // [arcs]
  const T* values = nullptr;     // [sources, width]
  const T* labels = nullptr;     // [labels, width]
  const T* gradients = nullptr;  // [destinations, directions, width]
};

// For a destination d and k = 0 or 1, sums[d, k] is the sum over the arcs a
// into d whose label l has l mod 2 = k, where s is the source of a:
//   kDifference: of weights[a] (values[s] - labels[l])
//   kProduct: of weights[a] values[s] labels[l]
// Shape: sums [destinations, directions, width].
template <typename T>
void SumComposed(const ComposeArguments<T>& arguments, T* sums);

// The gradients of the values [sources, width] and of the labels [labels,
// width].
template <typename T>
void SumComposedBackValues(const ComposeArguments<T>& arguments,
                           T* value_gradients);
template <typename T>
void SumComposedBackLabels(const ComposeArguments<T>& arguments,
                           T* label_gradients);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_COMPOSE_KERNELS_H_
