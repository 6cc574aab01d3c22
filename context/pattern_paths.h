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

// The paths between the ends of `link` along `steps` that repeat no node,
// sorted; the first 4096 found where there are more. Sets *truncated when it
// left paths out, sampled a hub or stopped at limits.max_expanded_arcs; else
// *truncated stays as it is. limits.max_hops has no effect. REQUIRES:
// link.source != link.target; at least two steps.
std::vector<PathBetween> FindPathsAlong(const GraphView& view,
                                        const PathSearchLimits& limits,
                                        const Link& link,
                                        std::span<const int32_t> steps,
                                        bool* truncated);

// The nodes of the paths along the metapaths that serve link.relation, metapath
// by metapath, for each the most specific paths first. A path that does not fit
// into `room` whole is left out. REQUIRES: link.source != link.target.
NodesBetween FindPatternNodes(const GraphView& view,
                              const PathSearchLimits& limits,
                              std::span<const Metapath> metapaths,
                              const Link& link, size_t room);

// The commonest metapaths of each relation: those that join the ends of most of
// its links. At most `per_relation` of at most `max_steps` (2 or 3) steps for
// each relation, the commonest first. The arcs between the ends of a link are
// hidden while its paths are counted. At most 200 links of a relation, evenly
// spread over `links`, are counted.
std::vector<Metapath> CommonMetapaths(const GraphSnapshot& snapshot,
                                      std::span<const Link> links,
                                      int max_steps, int per_relation);

}  // namespace slice

#endif  // SLICE_CONTEXT_PATTERN_PATHS_H_
