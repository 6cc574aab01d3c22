// Changes of a graph, as GraphSnapshot::Apply takes them.
#ifndef SLICE_GRAPHSTORE_GRAPH_CHANGES_H_
#define SLICE_GRAPHSTORE_GRAPH_CHANGES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "graphstore/graph_data.h"
#include "graphstore/node_block.h"
#include "graphstore/node_names.h"
#include "graphstore/row_table.h"
#include "graphstore/types.h"

namespace slice {

struct WeightedLink {
  Link link;
  float weight = 1;
};

// What one record of a node becomes.
struct NodeChange {
  NodeId node = 0;
  NodeRecord record;
};

// All at once: the order in the lists does not count, and what contradicts
// itself is refused.
struct GraphChanges {
  // Types that follow those of the graph.
  std::vector<std::string> added_types = {};
  // Nodes whose ids follow those of the graph.
  std::vector<NodeRecord> added_nodes = {};
  // New names and types of nodes. A removed node that is here comes back.
  std::vector<NodeChange> set_nodes = {};
  // These nodes lose all of their links. Their ids stay taken.
  std::vector<NodeId> removed_nodes = {};
  // A link that the graph has gets the weight.
  std::vector<WeightedLink> added_links = {};
  // Links that the graph lacks change nothing.
  std::vector<Link> removed_links = {};
};

// What changes are checked against.
struct ChangeableGraph {
  size_t node_count = 0, type_count = 0, relation_count = 0;
  const RowTable<NodeBlock>* nodes = nullptr;
  const NodeNames* names = nullptr;
};

// INVALID_ARGUMENT, naming what is wrong, when:
//   - a node, type or relation is out of range;
//   - there would be more nodes or types than a graph may have;
//   - a weight is not a finite number above 0;
//   - a key is taken, or a change gives a node another key;
//   - a link is added twice, or added and removed, or has an end that is
//     removed;
//   - a node is set twice, or set and removed.
absl::Status CheckChanges(const ChangeableGraph& graph,
                          const GraphChanges& changes);

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_CHANGES_H_
