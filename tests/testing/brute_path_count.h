// Paths by type, from a plain set of links.
#ifndef SLICE_TESTS_TESTING_BRUTE_PATH_COUNT_H_
#define SLICE_TESTS_TESTING_BRUTE_PATH_COUNT_H_

#include <cstdlib>
#include <set>

#include "context/path_rules.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/types.h"

namespace slice {

inline std::set<Link> LinkSet(const GraphSnapshot& graph) {
  std::set<Link> links;
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    const ArcSpan arcs = graph.Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i) {
      links.insert({node, arcs.relations[i], arcs.neighbors[i]});
    }
  }
  return links;
}

// The paths of a type from `a` to `b` whose inner nodes differ and are no end;
// the first of these is not `hidden`.
inline int BrutePathCount(const std::set<Link>& links, NodeId nodes, NodeId a,
                          NodeId b, const PathType& path,
                          NodeId hidden = kNoNode) {
  const auto step = [&](NodeId from, int32_t relation, NodeId to) {
    const auto id = RelationOfSigned(relation);
    return links.contains(relation > 0 ? Link{from, id, to}
                                       : Link{to, id, from});
  };
  if (path[1] == 0) return a != b && step(a, path[0], b);
  int count = 0;
  for (NodeId x = 0; x < nodes; ++x) {
    if (x == a || x == b || x == hidden || !step(a, path[0], x)) continue;
    if (path[2] == 0) {
      count += step(x, path[1], b);
      continue;
    }
    for (NodeId y = 0; y < nodes; ++y) {
      if (y == a || y == b || y == x) continue;
      count += step(x, path[1], y) && step(y, path[2], b);
    }
  }
  return count;
}

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_BRUTE_PATH_COUNT_H_
