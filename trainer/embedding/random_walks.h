// Random walks over a WalkGraph: node2vec's second-order walks, and plain ones.
// Steps of many walks are interleaved, each memory access prefetched a stage
// ahead (as ThunderRW does: Sun et al., VLDB 2021).
#ifndef SLICE_TRAINER_EMBEDDING_RANDOM_WALKS_H_
#define SLICE_TRAINER_EMBEDDING_RANDOM_WALKS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/random.h"
#include "trainer/embedding/pair_filter.h"
#include "trainer/embedding/walk_graph.h"
#include "trainer/embedding/walk_training.h"

namespace slice {

// As many walks at once as wait for memory well together.
inline constexpr size_t kWalksAtOnce = 64;

struct RandomWalkOptions {
  int length = 80;  // nodes of a walk, its start included; at least 1
  // A walk that came from t to v goes on to x with 1/p times the weight of
  // (v, x) when x = t, once when x and t are neighbours, 1/q times otherwise
  // (Grover and Leskovec, 3.2). p = q = 1: in proportion to the weight.
  double p = 1;
  double q = 1;
  uint64_t seed = 0;
};

// Immutable; thread-safe. The graph must outlive it.
class RandomWalks : public WalkSource {
 public:
  // Linear in the links when q is not 1 (it makes a PairFilter).
  RandomWalks(const WalkGraph& graph, const RandomWalkOptions& options);

  // Fills walks, [starts, length] row-major. A walk depends on the options, its
  // start and `round` alone, whatever else is walked beside it. Many walks at
  // once are fastest: they wait for memory together.
  // REQUIRES: every start has a neighbour.
  void Walk(std::span<const NodeId> starts, uint64_t round,
            std::span<NodeId> walks) const override;

  int length() const override { return options_.length; }

 private:
  struct Walker;
  struct SecondOrderWalker;

  template <bool kWeighted>
  void WalkAll(std::span<const NodeId> starts, uint64_t round,
               std::span<NodeId> walks) const;
  // Steps `begin` to `end` - 1 of all walks, whatever came before.
  template <bool kWeighted>
  void StepUniformly(std::span<Walker> walkers, size_t begin, size_t end,
                     std::span<NodeId> walks) const;
  template <bool kWeighted>
  void StepSecondOrder(std::span<const Walker> walkers,
                       std::span<NodeId> walks) const;
  template <bool kWeighted>
  void Propose(SecondOrderWalker& walker) const;
  bool Decide(SecondOrderWalker& walker) const;
  void Accept(SecondOrderWalker& walker) const;

  const WalkGraph* const graph_;
  const RandomWalkOptions options_;
  // Of every neighbour but the last node, the largest factor is the bound, and
  // these are the factors over it; what the factor of the last node exceeds the
  // bound by is a proposal of its own.
  double accept_return_, accept_near_, accept_far_;
  double return_excess_;
  double accept_low_, accept_high_;          // of near and far
  std::unique_ptr<const PairFilter> pairs_;  // null when q is 1
};

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_RANDOM_WALKS_H_
