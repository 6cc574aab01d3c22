// The context of a link: the tokens that the network attends over and the typed
// edges among their nodes.
#ifndef SLICE_CONTEXT_CONTEXT_SUBGRAPH_H_
#define SLICE_CONTEXT_CONTEXT_SUBGRAPH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/context_token.h"
#include "graphstore/types.h"

namespace slice {

// A visible link between two node tokens; `source` and `target` are token
// positions.
struct ContextEdge {
  uint16_t source = 0;
  uint16_t target = 0;
  RelationId relation = 0;

  auto operator<=>(const ContextEdge&) const = default;
};

// tokens[0] is the source and tokens[1] the target, even when both are one
// node. The tokens between the ends follow.
struct ContextSubgraph {
  Link link;
  std::vector<ContextToken> tokens;
  std::vector<ContextEdge> edges;  // sorted, unique
  // Hops between source and target; -1 when no path of at most max_hops was
  // seen.
  int distance = -1;
  bool truncated = false;  // the search sampled a hub or stopped at a bound

  bool operator==(const ContextSubgraph&) const = default;
};

// One step of a metapath: the token reached and the relation travelled to it.
// The first step is the source with signed_relation 0.
struct MetapathStep {
  uint16_t token = 0;
  int32_t signed_relation = 0;
};

// A shortest path from source to target over the context's edges; of several,
// the one through the smallest token positions. Empty when no edges join the
// ends. When both ends are one node, it is the first step alone.
std::vector<MetapathStep> ShortestMetapath(const ContextSubgraph& context);

}  // namespace slice

#endif  // SLICE_CONTEXT_CONTEXT_SUBGRAPH_H_
