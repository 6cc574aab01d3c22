#include "tests/testing/row_difference.h"

#include <algorithm>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

bool SameArcs(const ArcSpan& a, const ArcSpan& b) {
  if (!std::ranges::equal(a.neighbors, b.neighbors) ||
      !std::ranges::equal(a.relations, b.relations)) {
    return false;
  }
  for (size_t i = 0; i < a.size(); ++i) {
    if (a.Weight(i) != b.Weight(i)) return false;
  }
  return true;
}

std::map<RelationId, std::vector<NodeId>> Slots(const GraphSnapshot& graph,
                                                NodeId node,
                                                Direction direction) {
  std::map<RelationId, std::vector<NodeId>> slots;
  graph.ForEachSlot(node, direction, [&](RelationId relation, auto nodes) {
    slots[relation].assign(nodes.begin(), nodes.end());
  });
  return slots;
}

bool SameSlots(const GraphSnapshot& graph, const GraphSnapshot& expected,
               NodeId node, Direction direction) {
  const auto wanted = Slots(expected, node, direction);
  if (Slots(graph, node, direction) != wanted) return false;
  return std::ranges::all_of(wanted, [&](const auto& slot) {
    return std::ranges::equal(graph.Neighbors(node, slot.first, direction),
                              slot.second);
  });
}

bool SameNeighbors(const GraphSnapshot& graph, const GraphSnapshot& expected,
                   NodeId node) {
  const auto wanted = expected.DistinctNeighbors(node);
  if (!std::ranges::equal(graph.DistinctNeighbors(node), wanted)) return false;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!std::ranges::equal(graph.neighbor_rows().Relations(node, i),
                            expected.neighbor_rows().Relations(node, i))) {
      return false;
    }
  }
  return graph.neighbor_rows().HasSelfLoop(node) ==
             expected.neighbor_rows().HasSelfLoop(node) &&
         graph.ArcsBetween(node, node) == expected.ArcsBetween(node, node);
}

}  // namespace

std::string RowDifference(const GraphSnapshot& graph,
                          const GraphSnapshot& expected) {
  if (graph.node_count() != expected.node_count() ||
      graph.link_count() != expected.link_count()) {
    return absl::StrCat(graph.node_count(), " nodes and ", graph.link_count(),
                        " links, not ", expected.node_count(), " and ",
                        expected.link_count());
  }
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      const char* name = direction == Direction::kOut ? "out" : "in";
      if (!SameArcs(graph.Arcs(node, direction),
                    expected.Arcs(node, direction))) {
        return absl::StrCat("arcs ", name, " of node ", node);
      }
      if (!SameSlots(graph, expected, node, direction))
        return absl::StrCat("slots ", name, " of node ", node);
    }
    if (!SameNeighbors(graph, expected, node))
      return absl::StrCat("neighbours of node ", node);
  }
  return "";
}

}  // namespace slice
