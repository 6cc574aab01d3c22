// How often examples of each relation are drawn, and how often their source
// shows no link of the relation. Both are estimated from the training graph and
// the valid file.
#ifndef SLICE_TRAINER_LEARNING_RELATION_SHARES_H_
#define SLICE_TRAINER_LEARNING_RELATION_SHARES_H_

#include <span>
#include <vector>

#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"

namespace slice {

// Per relation its unlinked share: how often a question of the relation is
// about a source that has no link of it. At most 0.5.
// With node types: of the nodes whose type has the relation at all, the share
// that lack it. With one type: of the positives of `valid`, the share whose
// source lacks the relation in `snapshot`; 0 for a relation without positives.
std::vector<double> EstimateUnlinkedShares(const GraphSnapshot& snapshot,
                                           std::span<const LabelledLink> valid);

// Per relation its share of an epoch that takes a sample of the links: the mean
// of its share of the graph's links and its share of the positives of `valid`.
// So relations that are asked about often are learned well.
std::vector<double> EstimateRelationShares(const GraphSnapshot& snapshot,
                                           std::span<const LabelledLink> valid);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_RELATION_SHARES_H_
