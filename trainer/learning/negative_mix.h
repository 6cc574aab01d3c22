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

// How a negative is made from a positive (source, relation, target). Where
// nothing else is said, a uniform draw is over the whole node catalogue, which
// includes nodes without a link.
enum class NegativeKind : uint8_t {
  kUniform = 0,            // both ends uniform
  kSourceKept = 1,         // target uniform
  kTargetKept = 2,         // source uniform
  kTypeMatched = 3,        // source kept; target uniform among the targets of
                           // the relation in the graph
  kDegreeMatched = 4,      // source kept; target drawn among the targets of the
                           // relation, in proportion to the number of links
                           // of the relation into each
  kUniformInRelation = 5,  // both ends uniform among the nodes that have a link
                           // of the relation, in either direction
  kSourceTypeMatched = 6,  // target kept; source uniform among the sources of
                           // the relation in the graph
  kSelf = 7,       // one end, either one, takes the place of both; never for a
                   // relation with a self loop in the graph
  kOffSchema = 8,  // one end, either one, kept; the other uniform among the
                   // nodes that do not fit there
                   // (graphstore/relation_schema.h)
};
inline constexpr int kNegativeKinds = 9;

// The names of the kinds in order: "uniform", "source_kept", "target_kept",
// "type_matched", "degree_matched", "uniform_in_relation",
// "source_type_matched", "self", "off_schema".
std::string_view NegativeKindName(NegativeKind kind);

// The share of each kind. The shares need not sum to one.
struct NegativeMix {
  double uniform = 1;
  double source_kept = 0;
  double target_kept = 0;
  double type_matched = 0.1;
  double degree_matched = 0;
  double uniform_in_relation = 0;
  double source_type_matched = 0;
  double self = 0;
  double off_schema = 0;

  double share(NegativeKind kind) const;

  // Turns `uniform_draw`, a uniform draw from [0, 1), into a kind. The
  // probability of a kind is its share of the sum of all shares.
  NegativeKind Draw(double uniform_draw) const;

  // INVALID_ARGUMENT when a share is negative or not finite, or when all are
  // zero.
  absl::Status Validate() const;
};

// The mix for the question "among kind". Mostly the target is redrawn among the
// targets of the relation: uniformly or, rarely, in proportion to their links.
// One time in five, the source is redrawn uniformly among the sources of the
// relation.
NegativeMix AmongKindMix();

// The mix for the question "plausible": it imitates how the negatives of
// `valid` were drawn.
//   source_kept          the share of negatives whose source is also the
//                        source of a positive of the same relation, beyond the
//                        share that uniform draws would give
//   target_kept          the same for targets
//   type_matched         `typed_share`, plus the part of source_kept whose
//                        targets are targets of the relation, again beyond
//                        chance; this part is taken out of source_kept, and
//                        is 0 when target_kept is not
//   uniform_in_relation  of the remaining negatives, the part whose relations
//                        draw both ends only among nodes with a link of the
//                        relation
//   uniform              what remains
// Without negatives in `valid`: uniform 1 and type_matched `typed_share`.
NegativeMix EstimateNegativeMix(const GraphSnapshot& snapshot,
                                std::span<const LabelledLink> valid,
                                double typed_share = 0.1);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_NEGATIVE_MIX_H_
