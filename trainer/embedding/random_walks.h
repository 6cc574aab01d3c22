// Random walks over a WalkGraph: node2vec's second-order walks, and plain ones.
// The steps of many walks are interleaved, and each memory access is prefetched
// one stage ahead (as ThunderRW does: Sun et al., VLDB 2021).
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
#include "trainer/embedding/walk_source.h"

namespace slice {

struct RandomWalkOptions {
  int length = 80;  // nodes of a walk, its start included; at least 1
  // A walk that came from t to v goes on to x in proportion to the weight of
  // (v, x) times a factor: 1/p when x = t, 1 when x and t are neighbours, 1/q
  // otherwise (Grover and Leskovec, KDD 2016, 3.2). With p = q = 1 all factors
  // are 1.
  double p = 1;
  double q = 1;
  uint64_t seed = 0;
};

// Immutable; thread-safe. The graph must outlive it.
class RandomWalks : public WalkSource {
 public:
  // Takes constant time when q is 1; otherwise time linear in the links, to
  // fill a PairFilter.
  RandomWalks(const WalkGraph& graph, const RandomWalkOptions& options);

  // Fills `walks`, [starts, length] row-major. A walk depends on the options,
  // its start and `round` alone, not on the other starts. A call is fastest for
  // many starts, whose walks wait for memory together. REQUIRES: every start
  // has a neighbour.
  void Walk(std::span<const NodeId> starts, uint64_t round,
            std::span<NodeId> walks) const override;

  int length() const override { return options_.length; }

 private:
  struct Walker;
  struct SecondOrderWalker;

  template <bool kWeighted>
  void WalkAll(std::span<const NodeId> starts, uint64_t round,
               std::span<NodeId> walks) const;
  // Makes steps `begin` to `end` - 1 of all walks, by weight alone.
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
  // The probability of acceptance of a proposed node is factor / bound, where
  // bound = max(1, 1/q) is the largest factor of a node other than the previous
  // one. When the factor 1/p of the return is above the bound, accept_return_
  // is 1, and the return is also proposed as a case of its own, with the weight
  // return_excess_ = (1/p) / bound - 1.
  double accept_return_, accept_near_, accept_far_;
  double return_excess_;
  double accept_low_, accept_high_;  // the smaller and the larger of near, far
  std::unique_ptr<const PairFilter> pairs_;  // of neighbours; null when q is 1
};

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_RANDOM_WALKS_H_
