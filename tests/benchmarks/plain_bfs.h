// Shortest paths as a textbook finds them: what the context search is measured
// against and checked by.
#ifndef SLICE_TESTS_BENCHMARKS_PLAIN_BFS_H_
#define SLICE_TESTS_BENCHMARKS_PLAIN_BFS_H_

#include <cstddef>
#include <vector>

#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

struct PlainPaths {
  int hops = -1;                           // -1: none of so many hops or fewer
  std::vector<std::vector<NodeId>> inner;  // of each, from source to target
};

// One search from the source over all visible neighbours until the target's
// level is whole, then every shortest path back over the parents, at most
// `max_paths` of them. No sides, no bounds on hubs, no memory kept. REQUIRES:
// source != target.
PlainPaths FindPathsByPlainBfs(const GraphView& view, NodeId source,
                               NodeId target, int max_hops, size_t max_paths);

}  // namespace slice

#endif  // SLICE_TESTS_BENCHMARKS_PLAIN_BFS_H_
