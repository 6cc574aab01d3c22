// HGSampling, the sampling of HGT: it chooses about as many nodes of each type,
// and prefers nodes that have arcs to many chosen nodes.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_HG_SAMPLER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_HG_SAMPLER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graphstore/types.h"
#include "trainer/methods/messages/message_graph.h"

namespace slice {

struct HgSamplingOptions {
  int rounds = 2;            // one for each layer
  size_t nodes_of_type = 0;  // that a round adds, at most
  size_t most_arcs = 0;  // of a chosen node and a label, that add to budgets
  uint64_t seed = 0;
  HiddenLinks hidden;  // these links count as absent
};

// Chooses nodes around `wanted` (Hu et al., WWW 2020, algorithm 1 and 2). When
// a node is chosen, each of its c arcs with one label adds 1 / c to the budget
// of the arc's neighbour. Of more than `most_arcs` arcs a sample of as many
// counts as all, as in the authors' program. A
// round draws nodes of each type without replacement, each with a probability
// in proportion to the square of its budget. Returns the nodes of `wanted`,
// then the chosen ones. Depends on the arguments alone. REQUIRES: `wanted` are
// distinct.
std::vector<NodeId> SampleByBudget(const MessageGraph& graph,
                                   std::span<const NodeId> wanted,
                                   const HgSamplingOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_HG_SAMPLER_H_
