#include "trainer/methods/walks/metapath_walks.h"

#include <algorithm>
#include <utility>

namespace slice {

MetapathWalks::MetapathWalks(const LabelledWalkGraph& graph,
                             std::vector<WalkScheme> schemes, int length,
                             uint64_t seed)
    : graph_(graph),
      schemes_(std::move(schemes)),
      length_(length),
      seed_(seed) {}

void MetapathWalks::CollectPlaces(NodeId start,
                                  std::vector<Place>& places) const {
  places.clear();
  const bool typed = graph_.labels() == WalkLabels::kNodeTypes;
  for (uint32_t s = 0; s < schemes_.size(); ++s) {
    const WalkScheme& scheme = schemes_[s];
    for (uint32_t p = 0; p < scheme.steps.size(); ++p) {
      if (typed && scheme.TypeBefore(p) != graph_.TypeOf(start)) continue;
      if (graph_.Neighbors(start, scheme.steps[p]).empty()) continue;
      places.push_back({s, p});
    }
  }
}

void MetapathWalks::WalkOne(NodeId start, Random& random,
                            std::span<NodeId> walk) const {
  thread_local std::vector<Place> places;
  CollectPlaces(start, places);
  const WalkScheme* scheme = nullptr;
  size_t step = 0;
  if (!places.empty()) {
    const Place place =
        places[random.Below(static_cast<uint32_t>(places.size()))];
    scheme = &schemes_[place.scheme];
    step = place.step;
  }
  walk[0] = start;
  for (size_t i = 1; i < walk.size(); ++i) {
    const auto neighbors =
        scheme == nullptr ? graph_.Neighbors(walk[i - 1])
                          : graph_.Neighbors(walk[i - 1], scheme->steps[step]);
    if (neighbors.empty()) {
      std::fill(walk.begin() + static_cast<ptrdiff_t>(i), walk.end(), kNoNode);
      return;
    }
    walk[i] = neighbors[random.Below(static_cast<uint32_t>(neighbors.size()))];
    if (scheme != nullptr) step = (step + 1) % scheme->steps.size();
  }
}

void MetapathWalks::Walk(std::span<const NodeId> starts, uint64_t round,
                         std::span<NodeId> walks) const {
  const auto length = static_cast<size_t>(length_);
  for (size_t i = 0; i < starts.size(); ++i) {
    Random random(CombineHash(CombineHash(seed_, round), starts[i]));
    WalkOne(starts[i], random, walks.subspan(i * length, length));
  }
}

}  // namespace slice
