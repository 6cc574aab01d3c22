#include "trainer/random_walks.h"

#include <algorithm>
#include <vector>

namespace slice {

RandomWalks::RandomWalks(const WalkGraph& graph,
                         const RandomWalkOptions& options)
    : graph_(&graph), options_(options) {
  const double largest = std::max({1 / options.p, 1.0, 1 / options.q});
  accept_return_ = 1 / options.p / largest;
  accept_near_ = 1 / largest;
  accept_far_ = 1 / options.q / largest;
}

void RandomWalks::Walk(std::span<const NodeId> starts, uint64_t round,
                       std::span<NodeId> walks) const {
  if (options_.p == 1 && options_.q == 1) {
    WalkUniform(starts, round, walks);
    return;
  }
  const size_t length = options_.length;
  for (size_t i = 0; i < starts.size(); ++i) {
    WalkSecondOrder(starts[i], round, walks.subspan(i * length, length));
  }
}

Random RandomWalks::WalkRandom(NodeId start, uint64_t round) const {
  return Random(CombineHash(CombineHash(options_.seed, round), start));
}

void RandomWalks::WalkUniform(std::span<const NodeId> starts, uint64_t round,
                              std::span<NodeId> walks) const {
  const size_t length = options_.length;
  struct Walker {
    Random random;
    uint64_t position;  // of the next node in its row
  };
  std::vector<Walker> walkers;
  walkers.reserve(starts.size());
  for (size_t i = 0; i < starts.size(); ++i) {
    walkers.push_back({WalkRandom(starts[i], round), 0});
    walks[i * length] = starts[i];
  }
  // All walkers choose, then all step: the reads of a step overlap.
  for (size_t step = 1; step < length; ++step) {
    for (size_t i = 0; i < walkers.size(); ++i) {
      const NodeId current = walks[i * length + step - 1];
      walkers[i].position = graph_->RowStart(current) +
                            walkers[i].random.Below(graph_->Degree(current));
      graph_->PrefetchNeighbor(walkers[i].position);
    }
    for (size_t i = 0; i < walkers.size(); ++i) {
      const NodeId next = graph_->NeighborAt(walkers[i].position);
      walks[i * length + step] = next;
      graph_->PrefetchRow(next);
    }
  }
}

void RandomWalks::WalkSecondOrder(NodeId start, uint64_t round,
                                  std::span<NodeId> walk) const {
  Random random = WalkRandom(start, round);
  walk[0] = start;
  if (walk.size() > 1) {
    walk[1] = graph_->Neighbors(start)[random.Below(graph_->Degree(start))];
  }
  for (size_t step = 2; step < walk.size(); ++step) {
    walk[step] = SecondOrderStep(walk[step - 2], walk[step - 1], random);
  }
}

// Rejection sampling (Yang et al., KnightKing, SOSP 2019): propose a neighbour
// uniformly and accept it with its share of the largest weight. Exact, without
// the per-edge tables of the original. The expected number of proposals is at
// most the ratio of the largest to the smallest weight.
NodeId RandomWalks::SecondOrderStep(NodeId previous, NodeId current,
                                    Random& random) const {
  const std::span<const NodeId> neighbors = graph_->Neighbors(current);
  while (true) {
    const NodeId next =
        neighbors[random.Below(static_cast<uint32_t>(neighbors.size()))];
    const double draw = random.Uniform();
    if (next == previous) {
      if (draw < accept_return_) return next;
      continue;
    }
    // The adjacency test is only needed when the draw lies between the two.
    const auto [low, high] = std::minmax(accept_near_, accept_far_);
    if (draw < low) return next;
    if (draw >= high) continue;
    const bool near = graph_->AreNeighbors(next, previous);
    if (draw < (near ? accept_near_ : accept_far_)) return next;
  }
}

}  // namespace slice
