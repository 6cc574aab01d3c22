// Random walks over a WalkGraph: uniform ones, and node2vec's second-order
// walks.
#ifndef SLICE_TRAINER_RANDOM_WALKS_H_
#define SLICE_TRAINER_RANDOM_WALKS_H_

#include <cstdint>
#include <span>

#include "common/random.h"
#include "trainer/walk_graph.h"

namespace slice {

struct RandomWalkOptions {
  int length = 80;  // nodes of a walk, its start included; at least 1
  // A walk that came from t to v goes on to x with weight 1/p when x = t, 1
  // when x and t are neighbours, 1/q otherwise (Grover and Leskovec, 3.2).
  double p = 1;
  double q = 1;
  uint64_t seed = 0;
};

// Immutable; thread-safe. The graph must outlive it.
class RandomWalks {
 public:
  RandomWalks(const WalkGraph& graph, const RandomWalkOptions& options);

  // Fills walks, [starts, length] row-major. A walk depends on the options, its
  // start and `round` alone, whatever else is walked beside it. Many walks at
  // once are fastest: they wait for memory together.
  // REQUIRES: every start has a neighbour.
  void Walk(std::span<const NodeId> starts, uint64_t round,
            std::span<NodeId> walks) const;

  int length() const { return options_.length; }

 private:
  Random WalkRandom(NodeId start, uint64_t round) const;
  void WalkUniform(std::span<const NodeId> starts, uint64_t round,
                   std::span<NodeId> walks) const;
  void WalkSecondOrder(NodeId start, uint64_t round,
                       std::span<NodeId> walk) const;
  NodeId SecondOrderStep(NodeId previous, NodeId current, Random& random) const;

  const WalkGraph* const graph_;
  const RandomWalkOptions options_;
  // Acceptance probabilities of a proposed neighbour: its weight over the
  // largest weight.
  double accept_return_, accept_near_, accept_far_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_RANDOM_WALKS_H_
