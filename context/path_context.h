// The default strategy: a context of the two ends and a path token for each
// type of path between them.
#ifndef SLICE_CONTEXT_PATH_CONTEXT_H_
#define SLICE_CONTEXT_PATH_CONTEXT_H_

#include "context/context_options.h"
#include "context/context_subgraph.h"
#include "graphstore/graph_view.h"

namespace slice {

// The longest paths that have tokens, in links.
inline constexpr int kLongestPath = 3;

// Replaces `context`: the two end tokens, then at most options.max_nodes path
// tokens, the heaviest types first. `distance` is the length of the shortest
// path among them, at most 3. There are no edges. Deterministic.
void CutTypedPaths(const GraphView& view, const Link& link,
                   const ContextOptions& options, ContextSubgraph& context);

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_CONTEXT_H_
