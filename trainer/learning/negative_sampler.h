// Non-links to train and measure against, drawn by the rules of model.md 3
// and 5.
#ifndef SLICE_TRAINER_LEARNING_NEGATIVE_SAMPLER_H_
#define SLICE_TRAINER_LEARNING_NEGATIVE_SAMPLER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/random.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"

namespace slice {

// How a negative is made from a positive (source, relation, target). Uniform
// draws are over the whole node catalogue, nodes without a link included.
enum class NegativeKind : uint8_t {
  kUniform = 0,            // both ends uniform
  kSourceKept = 1,         // target uniform
  kTargetKept = 2,         // source uniform
  kTypeMatched = 3,        // source kept; target uniform among the relation's
                           // targets in the graph
  kDegreeMatched = 4,      // source kept; target among these in proportion to
                           // its links by the relation
  kUniformInRelation = 5,  // both ends uniform among the nodes that have the
                           // relation, either way
  kSourceTypeMatched = 6,  // target kept; source uniform among the relation's
                           // sources in the graph
  kTwoHop = 7,             // source kept; target the end of a random 2-path
};
inline constexpr int kNegativeKinds = 8;

// "uniform", "source_kept", "target_kept", "type_matched", "degree_matched",
// "uniform_in_relation", "source_type_matched", "two_hop".
std::string_view NegativeKindName(NegativeKind kind);

// Shares of the kinds; they need not sum to one.
struct NegativeMix {
  double uniform = 1;
  double source_kept = 0;
  double target_kept = 0;
  double type_matched = 0.1;
  double degree_matched = 0;
  double uniform_in_relation = 0;
  double source_type_matched = 0;
  double two_hop = 0;

  double share(NegativeKind kind) const;
  // The kind at `uniform_draw`, in [0, 1), of the shares laid end to end.
  NegativeKind Draw(double uniform_draw) const;
  // INVALID_ARGUMENT when a share is negative or not finite, or all are zero.
  absl::Status Validate() const;
};

struct NegativeSample {
  Link link;
  NegativeKind kind = NegativeKind::kUniform;
  bool keeps_source = false;  // then the positive must be hidden for it too
  bool keeps_target = false;
};

// Immutable; thread-safe. The snapshot must outlive it.
class NegativeSampler {
 public:
  // INVALID_ARGUMENT from the mix; FAILED_PRECONDITION when the graph has no
  // nodes or a relation links every pair, so that no negative exists.
  static absl::StatusOr<std::unique_ptr<NegativeSampler>> Create(
      const GraphSnapshot& snapshot, const NegativeMix& mix);

  // A link that the snapshot lacks, of a kind drawn from the mix. A kind that
  // keeps hitting links is replaced by a wider one (typed by source-kept, that
  // by uniform); `kind` says what was done in the end.
  NegativeSample Sample(const Link& positive, Random& random) const {
    return Sample(mix_, positive, random);
  }
  // The same by another mix.
  NegativeSample Sample(const NegativeMix& mix, const Link& positive,
                        Random& random) const;

  // One draw of one kind; nothing when it is a link of the snapshot, or when
  // the relation has no target to draw. For evaluation, where such pairs are
  // dropped rather than redrawn.
  std::optional<NegativeSample> Draw(NegativeKind kind, const Link& positive,
                                     Random& random) const;

 private:
  NegativeSampler(const GraphSnapshot& snapshot, const NegativeMix& mix);
  NegativeSample AnyNegative(const Link& positive, Random& random) const;

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
  NodesByRelation link_targets_;      // a node once per link into it
  NodesByRelation distinct_targets_;  // ascending
  NodesByRelation distinct_sources_;  // ascending
  NodesByRelation members_;           // sources and targets, ascending
};

// The mix that resembles how the negatives of a labelled file were drawn: the
// shares whose source (or target) is that of a positive of the same relation,
// beyond chance (type-matched as far as their targets are all targets of the
// relation); uniform ones for the rest, within the relation where all
// their ends lie there; plus `typed_share` of type-matched ones. Uniform and
// typed when the file has no negatives.
NegativeMix EstimateNegativeMix(const GraphSnapshot& snapshot,
                                std::span<const LabelledLink> valid,
                                double typed_share = 0.1);

// The mix that teaches which of a kind is the right one: the target, and less
// often the source, redrawn among the nodes that have the slot, uniformly and
// in proportion to their links.
NegativeMix AmongKindMix();

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_NEGATIVE_SAMPLER_H_
