// The default strategy: a context of the two ends and a path token for each
// type of path between them.
#ifndef SLICE_CONTEXT_PATH_CONTEXT_H_
#define SLICE_CONTEXT_PATH_CONTEXT_H_

#include <span>

#include "context/context_options.h"
#include "context/context_subgraph.h"
#include "context/typed_path_search.h"
#include "graphstore/graph_view.h"

namespace slice {

// The longest paths that have tokens, in links.
inline constexpr int kLongestPath = 3;

// Replaces `context` by the two end tokens and at most options.max_nodes path
// tokens, the types of the greatest weight (TypedPath) first. The distance is
// the length of the shortest of these paths, at most 3; -1 without paths, and 0
// when both ends are one node. The context has no edges. Deterministic.
void CutTypedPaths(const GraphView& view, const Link& link,
                   const ContextOptions& options, ContextSubgraph& context);

// The second half of CutTypedPaths: makes the context of the types `paths`, in
// this order.
void AssemblePathContext(const GraphView& view, const Link& link,
                         std::span<const TypedPath> paths, bool truncated,
                         ContextSubgraph& context);

// Says in a context of paths that the shortest of them has `distance` links; -1
// without paths.
void SetDistance(int distance, ContextSubgraph& context);

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_CONTEXT_H_
