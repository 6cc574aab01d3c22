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

// Returns the unlinked share of each relation: how often a question about the
// relation is about a source that has no outgoing link of it. It is at most
// 0.5.
//   - With several node types, take the types that have at least one node with
//     an outgoing link of the relation. The share is that of their nodes
//     without one.
//   - With one node type, take the positives of the relation in `valid`. The
//     share is that of the positives whose source has no outgoing link of the
//     relation in `snapshot`, or 0 without positives.
std::vector<double> EstimateUnlinkedShares(const GraphSnapshot& snapshot,
                                           std::span<const LabelledLink> valid);

// Returns the share that each relation gets of an epoch, where an epoch is a
// sample of the links. It is the mean of two shares of the relation: that among
// the graph's links, and that among the positives of `valid`. So relations that
// are asked about often are learned well.
std::vector<double> EstimateRelationShares(const GraphSnapshot& snapshot,
                                           std::span<const LabelledLink> valid);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_RELATION_SHARES_H_
