// The loops of messages that a relation takes part in, and of their gradients:
// a neighbour's values and those of the arc's label, composed number by number.
// For float and double. Sums are made in a fixed order: results do not depend
// on the number of threads, which is LibTorch's.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_COMPOSE_KERNELS_H_
#define SLICE_TRAINER_METHODS_MESSAGES_COMPOSE_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "trainer/methods/messages/message_block.h"

namespace slice {

enum class Composition : uint8_t { kDifference, kProduct };

// Messages along links (even labels) and against them are summed apart.
inline constexpr size_t kWays = 2;

// What the loops below read. The gradient of the sums stands in their place
// when a gradient is asked for.
template <typename T>
struct ComposeArguments {
  const MessageBlock* block = nullptr;
  Composition composition = Composition::kProduct;
  size_t label_count = 0;
  size_t width = 0;
  const T* weights = nullptr;    // [arcs]
  const T* values = nullptr;     // [sources, width]
  const T* labels = nullptr;     // [labels, width]
  const T* gradients = nullptr;  // [destinations, ways, width]
};

// sums[d, l mod 2] = sum over arcs a from s into d with the label l of
// weights[a] (values[s] - labels[l]), or times labels[l]. sums [destinations,
// ways, width].
template <typename T>
void SumComposed(const ComposeArguments<T>& arguments, T* sums);

// The gradients for values [sources, width] and for labels [labels, width].
template <typename T>
void SumComposedBackValues(const ComposeArguments<T>& arguments,
                           T* value_gradients);
template <typename T>
void SumComposedBackLabels(const ComposeArguments<T>& arguments,
                           T* label_gradients);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_COMPOSE_KERNELS_H_
