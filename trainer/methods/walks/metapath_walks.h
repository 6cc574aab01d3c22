// Random walks along metapaths (metapath2vec: Dong et al., KDD 2017, 3.2).
#ifndef SLICE_TRAINER_METHODS_WALKS_METAPATH_WALKS_H_
#define SLICE_TRAINER_METHODS_WALKS_METAPATH_WALKS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/random.h"
#include "trainer/embedding/walk_training.h"
#include "trainer/methods/walks/labelled_walk_graph.h"
#include "trainer/methods/walks/walk_schemes.h"

namespace slice {

// A walk follows one scheme, a cycle of steps (walk_schemes.h), and can begin
// at any step of it. A start fits a step when it has a neighbour by the label
// of the step and, with node types as labels, also the type from which the step
// leads. Of all steps of all schemes that the start fits, one is drawn
// uniformly. Then each step chooses uniformly among the neighbours that the
// scheme allows. The walk ends early where there are none. From a start that
// fits no step, the walk goes uniformly over all arcs. Immutable; thread-safe.
// The graph must outlive it.
class MetapathWalks : public WalkSource {
 public:
  MetapathWalks(const LabelledWalkGraph& graph, std::vector<WalkScheme> schemes,
                int length, uint64_t seed);

  int length() const override { return length_; }
  void Walk(std::span<const NodeId> starts, uint64_t round,
            std::span<NodeId> walks) const override;

 private:
  // Where a walk begins in the schemes: at which step of which scheme.
  struct Place {
    uint32_t scheme, step;
  };

  void WalkOne(NodeId start, Random& random, std::span<NodeId> walk) const;
  // Fills `places` with the steps that `start` fits.
  void CollectPlaces(NodeId start, std::vector<Place>& places) const;

  const LabelledWalkGraph& graph_;
  const std::vector<WalkScheme> schemes_;
  const int length_;
  const uint64_t seed_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_METAPATH_WALKS_H_
