// Makes a context of nodes: their tokens, edges and token features.
#ifndef SLICE_CONTEXT_CONTEXT_ASSEMBLY_H_
#define SLICE_CONTEXT_CONTEXT_ASSEMBLY_H_

#include <span>

#include "context/context_subgraph.h"
#include "graphstore/graph_view.h"

namespace slice {

// Replaces `context` by the context of `link` over its two ends and `between`:
// distinct nodes, none of them an end, at most 62. `distance` is the number of
// hops between the ends inside the context, -1 when it is above max_hops.
// `truncated` stays as it is. Allocates nothing when the memory of `context` is
// large enough.
void AssembleLinkContext(const GraphView& view, const Link& link,
                         std::span<const NodeId> between, int max_hops,
                         ContextSubgraph& context);

// The context of one node over `nodes`: distinct, at most 64, that node first.
ContextSubgraph AssembleNodeContext(const GraphView& view,
                                    std::span<const NodeId> nodes);

}  // namespace slice

#endif  // SLICE_CONTEXT_CONTEXT_ASSEMBLY_H_
