// The context of a link as tokens for its ends and for the typed paths between
// them: the default strategy.
#ifndef SLICE_CONTEXT_PATH_CONTEXT_H_
#define SLICE_CONTEXT_PATH_CONTEXT_H_

#include "context/context_generator.h"
#include "context/context_subgraph.h"
#include "graphstore/graph_view.h"

namespace slice {

// The two end tokens, then at most options.max_nodes path tokens, the heaviest
// types first. `distance` is that of the shortest path among them, at most 3;
// there are no edges. Deterministic; the seed plays no part.
ContextSubgraph CutTypedPaths(const GraphView& view, const Link& link,
                              const ContextOptions& options);

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_CONTEXT_H_
