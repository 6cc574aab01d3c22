// Makes a context from its nodes: tokens, edges and token features.
#ifndef SLICE_CONTEXT_CONTEXT_ASSEMBLY_H_
#define SLICE_CONTEXT_CONTEXT_ASSEMBLY_H_

#include <span>

#include "context/context_subgraph.h"
#include "graphstore/graph_view.h"

namespace slice {

// Replaces `context` by the context of `link`. Its tokens are the two ends,
// then `between`: distinct nodes, at most 62, none of them an end. The distance
// is the number of hops between the ends inside the context, or -1 when that
// number is above max_hops or no edges join the ends. `context.truncated` stays
// as it is. Allocates nothing when the memory of `context` is large enough.
void AssembleLinkContext(const GraphView& view, const Link& link,
                         std::span<const NodeId> between, int max_hops,
                         ContextSubgraph& context);

// The context of the single node nodes[0]. Its tokens are `nodes`: distinct, at
// most 64.
ContextSubgraph AssembleNodeContext(const GraphView& view,
                                    std::span<const NodeId> nodes);

}  // namespace slice

#endif  // SLICE_CONTEXT_CONTEXT_ASSEMBLY_H_
