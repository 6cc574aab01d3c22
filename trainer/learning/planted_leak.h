// Leaks that can be planted into a training run to measure what each costs
// (docs/leakage.md, section 8). A run with such a leak publishes no bundle.
#ifndef SLICE_TRAINER_LEARNING_PLANTED_LEAK_H_
#define SLICE_TRAINER_LEARNING_PLANTED_LEAK_H_

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"

namespace slice {

enum class PlantedLeak : uint8_t {
  kNone,
  kOwnLink,        // an example sees the links of its own pair
  kSeenNegatives,  // negatives are drawn only among nodes that have a link
  kTestLinks       // the test positives are in the training graph
};

// "none", "own_link", "seen_negatives" or "test_links". INVALID_ARGUMENT for
// another name; the message lists the names.
absl::StatusOr<PlantedLeak> ParsePlantedLeak(std::string_view name);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_PLANTED_LEAK_H_
