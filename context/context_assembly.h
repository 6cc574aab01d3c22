// From the nodes of a context to its tokens, edges and token features.
#ifndef SLICE_CONTEXT_CONTEXT_ASSEMBLY_H_
#define SLICE_CONTEXT_CONTEXT_ASSEMBLY_H_

#include <span>

#include "context/context_subgraph.h"
#include "graphstore/graph_view.h"

namespace slice {

// Replaces `context` by that of `link` over its two ends and `between`:
// distinct nodes, none of them an end, at most 62. `distance` is the number of
// hops inside the context, -1 when they are more than max_hops; `truncated` is
// left as it is. Allocates nothing where `context` has held as much before.
void AssembleLinkContext(const GraphView& view, const Link& link,
                         std::span<const NodeId> between, int max_hops,
                         ContextSubgraph& context);

// The context of one node over `nodes`: distinct, that node first, at most 64.
ContextSubgraph AssembleNodeContext(const GraphView& view,
                                    std::span<const NodeId> nodes);

}  // namespace slice

#endif  // SLICE_CONTEXT_CONTEXT_ASSEMBLY_H_
