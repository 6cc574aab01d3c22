// The context of a link as tokens for its ends and for the typed paths between
// them: the default strategy.
#ifndef SLICE_CONTEXT_PATH_CONTEXT_H_
#define SLICE_CONTEXT_PATH_CONTEXT_H_

#include <cstdint>

#include "context/context_generator.h"
#include "context/context_subgraph.h"
#include "graphstore/graph_view.h"

namespace slice {

// The longest paths looked for, in links.
inline constexpr int kLongestPath = 3;

// Replaces `context`: the two end tokens, then at most options.max_nodes path
// tokens, the heaviest types first. `distance` is that of the shortest path
// among them, at most 3; there are no edges. Deterministic; the seed plays no
// part.
void CutTypedPaths(const GraphView& view, const Link& link,
                   const ContextOptions& options, ContextSubgraph& context);

// How many paths a kPath token stands for, read from its features; 0 for other
// tokens. Exact to a relative 1e-5.
uint64_t PathCount(const ContextToken& token);

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_CONTEXT_H_
