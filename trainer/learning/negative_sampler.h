// Draws negatives to train on and to measure against (docs/model.md,
// "Negatives").
#ifndef SLICE_TRAINER_LEARNING_NEGATIVE_SAMPLER_H_
#define SLICE_TRAINER_LEARNING_NEGATIVE_SAMPLER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "common/random.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/learning/negative_mix.h"

namespace slice {

struct NegativeSample {
  Link link;
  NegativeKind kind = NegativeKind::kUniform;
  // Which end of the positive the negative keeps, if any. Such a negative is
  // encoded with its positive hidden as well.
  bool keeps_source = false;
  bool keeps_target = false;
};

// Immutable; thread-safe. The snapshot must outlive it.
class NegativeSampler {
 public:
  // INVALID_ARGUMENT from NegativeMix::Validate. FAILED_PRECONDITION when the
  // graph has no nodes, or when a relation links every pair of nodes, so that
  // it has no negative.
  static absl::StatusOr<std::unique_ptr<NegativeSampler>> Create(
      const GraphSnapshot& snapshot, const NegativeMix& mix);

  // Draws a link that the snapshot lacks, of a kind drawn from the mix. When
  // the draws of one kind keep hitting links, a wider kind takes its place:
  // kSourceKept in place of kTypeMatched and kDegreeMatched, kUniform in place
  // of all others. The result holds the kind that was drawn in the end.
  NegativeSample Sample(const Link& positive, Random& random) const {
    return Sample(mix_, positive, random);
  }
  // Draws a link in the same way, but with `mix` in place of the sampler's own.
  NegativeSample Sample(const NegativeMix& mix, const Link& positive,
                        Random& random) const;

  // Draws once. Returns nullopt when the draw is a link of the snapshot, when
  // it is to be impossible and is not, or when the relation has no node to
  // draw. Evaluation uses this, since it drops such draws and does not repeat
  // them.
  std::optional<NegativeSample> Draw(NegativeKind kind, const Link& positive,
                                     Random& random) const;

 private:
  NegativeSampler(const GraphSnapshot& snapshot, const NegativeMix& mix);
  NegativeSample AnyNegative(const Link& positive, Random& random) const;
  // Whether `link` is what kSelf or kOffSchema promises.
  bool IsImpossible(NegativeKind kind, const Link& link) const;

  // Nodes grouped by relation.
  struct NodesByRelation {
    std::vector<uint64_t> start;  // [relations + 1]
    std::vector<NodeId> nodes;

    std::span<const NodeId> of(RelationId relation) const {
      return {nodes.data() + start[relation],
              nodes.data() + start[relation + 1]};
    }
  };
  static NodesByRelation Flatten(
      const std::vector<std::vector<NodeId>>& groups);

  const GraphSnapshot* const snapshot_;
  const NegativeMix mix_;
  NodesByRelation link_targets_;      // a target once per link
  NodesByRelation distinct_targets_;  // ascending
  NodesByRelation distinct_sources_;  // ascending
  NodesByRelation members_;           // sources and targets, ascending
};

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_NEGATIVE_SAMPLER_H_
