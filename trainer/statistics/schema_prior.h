// How much less likely a self pair or a pair off schema is than other pairs,
// from the links of train alone.
#ifndef SLICE_TRAINER_STATISTICS_SCHEMA_PRIOR_H_
#define SLICE_TRAINER_STATISTICS_SCHEMA_PRIOR_H_

#include <vector>

#include "graphstore/graph_snapshot.h"
#include "model/calibration.h"

namespace slice {

// One prior per relation id. Each number is a log Bayes factor,
//   log(P(such a pair | a link of the relation) /
//       P(such a pair | two nodes at random)),
// and 0 where it would be above 0.
//
// P(self | link): the relation's share of self loops, shrunk towards the share
// among all links by one imagined link. A relation with a self loop in train
// has no prior for self pairs. P(self | at random): 1 / the nodes seen as a
// target.
//
// P(off schema | link): the share of the relation's links that would be off
// schema if they were not in the graph, because no other link of the relation
// has an end of that type there; shrunk in the same way. P(off schema | at
// random): the share of all pairs of nodes that are off schema. In a graph of
// one node type there is no prior: which slots shut each other out is inferred,
// not given, and the network, which sees all slots, weighs it.
std::vector<SchemaPrior> FitSchemaPriors(const GraphSnapshot& snapshot);

}  // namespace slice

#endif  // SLICE_TRAINER_STATISTICS_SCHEMA_PRIOR_H_
