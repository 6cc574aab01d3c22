#include "trainer/methods/walks/aspects/aspect_batches.h"

#include <algorithm>
#include <cmath>

namespace slice {
namespace {

// A number of the distribution Gumbel(0, 1).
float DrawGumbel(Random& random) {
  // Keeps both logarithms finite.
  constexpr double kLeast = 0x1.0p-53;
  const double uniform = std::clamp(random.Uniform(), kLeast, 1 - kLeast);
  return static_cast<float>(-std::log(-std::log(uniform)));
}

}  // namespace

void AspectBatches::AddWindows(std::span<const NodeId> walk, Random& random,
                               AspectBatch& batch) const {
  for (size_t centre = 0; centre < walk.size(); ++centre) {
    AddWindow(
        walk, centre, walk[centre], {options_.window, options_.negatives},
        [&](NodeId) {
          return noise_[random.Below(static_cast<uint32_t>(noise_.size()))];
        },
        batch);
    for (size_t s = 0; s < options_.aspects; ++s) {
      batch.gumbel.push_back(DrawGumbel(random));
    }
  }
}

AspectBatch AspectBatches::Draw(std::span<const NodeId> starts,
                                uint64_t round) const {
  const auto length = static_cast<size_t>(walks_.length());
  std::vector<NodeId> walks(starts.size() * length);
  walks_.Walk(starts, round, walks);
  AspectBatch batch;
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto row = std::span<const NodeId>(walks).subspan(i * length, length);
    const auto walk = row.first(static_cast<size_t>(
        std::find(row.begin(), row.end(), kNoNode) - row.begin()));
    if (walk.size() < 2) continue;
    Random random(CombineHash(CombineHash(options_.seed, round), starts[i]));
    AddWindows(walk, random, batch);
  }
  return batch;
}

}  // namespace slice
