// Strategy `pattern`: paths between two nodes that follow given metapaths.
#ifndef SLICE_CONTEXT_PATTERN_PATHS_H_
#define SLICE_CONTEXT_PATTERN_PATHS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "context/metapath.h"
#include "context/nodes_between.h"
#include "context/path_between.h"
#include "context/path_search_limits.h"
#include "graphstore/graph_view.h"

namespace slice {

// The paths between the ends of `link` along `steps` that repeat no node,
// sorted; of more than 4096 the first found. Sets *truncated where a hub was
// sampled or limits.max_expanded_arcs ended the search, and leaves it alone
// otherwise; limits.max_hops plays no part. REQUIRES: link.source !=
// link.target; at least two steps.
std::vector<PathBetween> FindPathsAlong(const GraphView& view,
                                        const PathSearchLimits& limits,
                                        const Link& link,
                                        std::span<const int32_t> steps,
                                        bool* truncated);

// The nodes of the paths along the metapaths that serve link.relation: those of
// the first metapath first, and of each the most specific paths first, as far
// as they fit into `room` whole. REQUIRES: link.source != link.target.
NodesBetween FindPatternNodes(const GraphView& view,
                              const PathSearchLimits& limits,
                              std::span<const Metapath> metapaths,
                              const Link& link, size_t room);

// The metapaths of at most `max_steps` (2 or 3) steps that the most of `links`
// have at least one path along, for each relation apart, at most `per_relation`
// each, the commonest first. Each link is looked at with every arc between its
// ends hidden. Looks at no more than 200 links of a relation, evenly spread.
std::vector<Metapath> CommonMetapaths(const GraphSnapshot& snapshot,
                                      std::span<const Link> links,
                                      int max_steps, int per_relation);

}  // namespace slice

#endif  // SLICE_CONTEXT_PATTERN_PATHS_H_
