// Which kinds of negatives are drawn, and in which shares (docs/model.md,
// "Negatives").
#ifndef SLICE_TRAINER_LEARNING_NEGATIVE_MIX_H_
#define SLICE_TRAINER_LEARNING_NEGATIVE_MIX_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"

namespace slice {

// How a negative is made from a positive (source, relation, target). Uniform
// draws are over the whole node catalogue, nodes without a link included.
enum class NegativeKind : uint8_t {
  kUniform = 0,            // both ends uniform
  kSourceKept = 1,         // target uniform
  kTargetKept = 2,         // source uniform
  kTypeMatched = 3,        // source kept; target uniform among the targets of
                           // the relation in the graph
  kDegreeMatched = 4,      // source kept; target drawn among the same nodes in
                           // proportion to their links by the relation
  kUniformInRelation = 5,  // both ends uniform among the nodes that have a link
                           // of the relation, in either direction
  kSourceTypeMatched = 6,  // target kept; source uniform among the sources of
                           // the relation in the graph
};
inline constexpr int kNegativeKinds = 7;

// "uniform", "source_kept", "target_kept", "type_matched", "degree_matched",
// "uniform_in_relation", "source_type_matched".
std::string_view NegativeKindName(NegativeKind kind);

// Shares of the kinds. They need not sum to one.
struct NegativeMix {
  double uniform = 1;
  double source_kept = 0;
  double target_kept = 0;
  double type_matched = 0.1;
  double degree_matched = 0;
  double uniform_in_relation = 0;
  double source_type_matched = 0;

  double share(NegativeKind kind) const;

  // Draws a kind by its share, from `uniform_draw` in [0, 1).
  NegativeKind Draw(double uniform_draw) const;

  // INVALID_ARGUMENT when a share is negative or not finite, or when all are
  // zero.
  absl::Status Validate() const;
};

// The mix for the question "among kind": the target, and less often the source,
// is redrawn among the nodes that have the slot, uniformly or in proportion to
// their links.
NegativeMix AmongKindMix();

// The mix for the question "plausible": it imitates how the negatives of
// `valid` were drawn.
//   source_kept, target_kept  the share of negatives whose source (target) is
//                             one of a positive of the same relation, beyond
//                             what chance gives
//   type_matched              the part of source_kept whose targets are targets
//                             of the relation, beyond chance; plus
//                             `typed_share`
//   uniform_in_relation       of the rest, the part in relations whose
//                             negatives all lie among the relation's nodes
//   uniform                   what remains
// Without negatives in `valid`: uniform 1 and type_matched `typed_share`.
NegativeMix EstimateNegativeMix(const GraphSnapshot& snapshot,
                                std::span<const LabelledLink> valid,
                                double typed_share = 0.1);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_NEGATIVE_MIX_H_
