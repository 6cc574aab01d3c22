// Strategy `pattern`: the paths between two nodes that follow given metapaths.
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

// The paths between the ends of `link` that travel the signed relations `steps`
// and repeat no node, the most specific first (PathBetween). If there are more
// than 4096, the first 4096 found. Sets *truncated when it left paths out,
// sampled a hub or stopped at limits.max_expanded_arcs; else *truncated stays
// as it is. limits.max_hops has no effect. REQUIRES: link.source !=
// link.target; at least two steps.
std::vector<PathBetween> FindPathsAlong(const GraphView& view,
                                        const PathSearchLimits& limits,
                                        const Link& link,
                                        std::span<const int32_t> steps,
                                        bool* truncated);

// The nodes of the paths along those metapaths that serve link.relation. They
// come metapath by metapath, and for each metapath from the most specific path
// to the least. A path is left out if not all of its nodes fit into `room`.
// REQUIRES: link.source != link.target.
NodesBetween FindPatternNodes(const GraphView& view,
                              const PathSearchLimits& limits,
                              std::span<const Metapath> metapaths,
                              const Link& link, size_t room);

// The most common metapaths of each relation: those that join the ends of most
// of its links. There are at most `per_relation` for each relation, of two to
// `max_steps` (2 or 3) steps, the most common first. At most 200 links of a
// relation are counted, evenly spread over `links`. While the paths of a link
// are counted, all arcs between its ends are hidden.
std::vector<Metapath> CommonMetapaths(const GraphSnapshot& snapshot,
                                      std::span<const Link> links,
                                      int max_steps, int per_relation);

}  // namespace slice

#endif  // SLICE_CONTEXT_PATTERN_PATHS_H_
