// Samples without replacement.
#ifndef SLICE_COMMON_SAMPLE_TO_FRONT_H_
#define SLICE_COMMON_SAMPLE_TO_FRONT_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "common/random.h"

namespace slice {

// Moves a uniform sample of `count` items to the front, by the first steps of a
// Fisher-Yates shuffle. REQUIRES: there are at least `count` items.
template <typename Item>
void SampleToFront(std::span<Item> items, size_t count, Random& random) {
  for (size_t i = 0; i < count; ++i) {
    const auto left = static_cast<uint32_t>(items.size() - i);
    std::swap(items[i], items[i + random.Below(left)]);
  }
}

}  // namespace slice

#endif  // SLICE_COMMON_SAMPLE_TO_FRONT_H_
