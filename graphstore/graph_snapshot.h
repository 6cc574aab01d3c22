// The whole graph in memory: compressed sparse rows for both directions, the
// catalogue of nodes, and the name index. Every lookup on the request path
// reads this, never RocksDB.
//
//   const GraphSnapshot& graph = ...;
//   for (NodeId target : graph.Neighbors(package, depends, Direction::kOut)) {
//   ... }
#ifndef SLICE_GRAPHSTORE_GRAPH_SNAPSHOT_H_
#define SLICE_GRAPHSTORE_GRAPH_SNAPSHOT_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_data.h"
#include "graphstore/name_index.h"
#include "graphstore/types.h"

namespace slice {

// The arcs of one node in one direction: parallel arrays, sorted by (relation,
// neighbor).
struct ArcSpan {
  std::span<const NodeId> neighbors;
  std::span<const RelationId> relations;
  // The weights of the links, finite and above 0; empty when all links of the
  // graph have weight 1.
  std::span<const float> weights = {};

  size_t size() const { return neighbors.size(); }
  float Weight(size_t i) const { return weights.empty() ? 1.0f : weights[i]; }
};

// Immutable; thread-safe without locks.
class GraphSnapshot {
 public:
  // Builds from the catalogue and links (in any order; exact duplicates
  // collapse, the largest weight stays). INVALID_ARGUMENT when a link names a
  // node or relation outside the catalogue, or for a weight that is not a
  // positive number.
  static absl::StatusOr<std::shared_ptr<const GraphSnapshot>> Build(
      const GraphData& data, uint64_t graph_version = 0);

  size_t node_count() const { return catalogue_.nodes.size(); }
  size_t relation_count() const { return catalogue_.relations.size(); }
  size_t node_type_count() const { return catalogue_.node_types.size(); }
  uint64_t link_count() const { return link_count_; }
  uint64_t graph_version() const { return graph_version_; }
  // Whether any link has a weight other than 1.
  bool has_weights() const { return !rows_[0].weights.empty(); }

  // What a node or relation is called. REQUIRES: the id is in range.
  const std::string& Key(NodeId node) const {
    return catalogue_.nodes[node].key;
  }
  const std::string& Name(NodeId node) const {
    return catalogue_.nodes[node].name;
  }
  NodeTypeId Type(NodeId node) const { return catalogue_.nodes[node].type; }
  const std::string& TypeName(NodeTypeId type) const {
    return catalogue_.node_types[type];
  }
  const std::string& RelationName(RelationId relation) const {
    return catalogue_.relations[relation];
  }
  const GraphCatalogue& catalogue() const { return catalogue_; }
  const NameIndex& names() const { return *names_; }
  std::optional<RelationId> FindRelation(std::string_view name) const;

  // All arcs of `node` in one direction, sorted by (relation, neighbor).
  ArcSpan Arcs(NodeId node, Direction direction) const {
    const Rows& rows = rows_[static_cast<int>(direction)];
    const uint64_t begin = rows.row_start[node];
    const uint64_t count = rows.row_start[node + 1] - begin;
    const bool weighted = !rows.weights.empty();
    return {
        {rows.neighbors.data() + begin, count},
        {rows.relations.data() + begin, count},
        {rows.weights.data() + (weighted ? begin : 0), weighted ? count : 0}};
  }

  // The neighbours of `node` by one relation, ascending. O(log of the node's
  // relations).
  std::span<const NodeId> Neighbors(NodeId node, RelationId relation,
                                    Direction direction) const {
    const Rows& rows = rows_[static_cast<int>(direction)];
    const auto end = rows.slots.begin() + rows.slot_start[node + 1];
    const auto slot = std::lower_bound(
        rows.slots.begin() + rows.slot_start[node], end, relation,
        [](const Slot& a, RelationId b) { return a.relation < b; });
    if (slot == end || slot->relation != relation) return {};
    return rows.SlotNeighbors(slot);
  }

  // Calls visit(RelationId, std::span<const NodeId>) for each relation of
  // `node` in `direction`, ascending, with the neighbours by it, ascending.
  template <typename Visit>
  void ForEachSlot(NodeId node, Direction direction, Visit visit) const {
    const Rows& rows = rows_[static_cast<int>(direction)];
    const auto end = rows.slots.begin() + rows.slot_start[node + 1];
    for (auto slot = rows.slots.begin() + rows.slot_start[node]; slot != end;
         ++slot) {
      visit(static_cast<RelationId>(slot->relation), rows.SlotNeighbors(slot));
    }
  }

  // The distinct neighbours of `node` over all relations and both directions,
  // ascending, itself left out. Self loops show in Arcs only.
  std::span<const NodeId> DistinctNeighbors(NodeId node) const {
    const uint64_t begin = distinct_start_[node];
    return {distinct_.data() + begin, distinct_start_[node + 1] - begin};
  }

  bool HasLink(const Link& link) const;

  // Whether any link joins two different nodes. O(log smaller neighbourhood).
  bool AreNeighbors(NodeId a, NodeId b) const;

  // All arcs from `a` to `b`, out then in, by relation; the self loops of `a`
  // when b == a, once out and once in.
  std::vector<Arc> ArcsBetween(NodeId a, NodeId b) const;

 private:
  // The arcs of one node by one relation end where the next slot begins.
  struct Slot {
    uint64_t begin : 48;  // into the arcs of all nodes
    uint64_t relation : 16;
  };
  struct Rows {
    std::span<const NodeId> SlotNeighbors(
        std::vector<Slot>::const_iterator slot) const {
      return {neighbors.data() + slot->begin, (slot + 1)->begin - slot->begin};
    }

    std::vector<uint64_t> row_start;    // [nodes + 1]
    std::vector<NodeId> neighbors;      // [links]
    std::vector<RelationId> relations;  // [links]
    std::vector<float> weights;         // [links], or none
    std::vector<uint64_t> slot_start;   // [nodes + 1], into slots
    std::vector<Slot> slots;            // by node and relation; one more behind
  };

  GraphSnapshot() = default;
  void BuildRows(const GraphData& data, Direction direction);
  void BuildSlots(Direction direction);
  void BuildDistinctNeighbors();

  // Constant after construction.
  GraphCatalogue catalogue_;
  std::unique_ptr<const NameIndex> names_;
  Rows rows_[2];                          // indexed by Direction
  std::vector<uint64_t> distinct_start_;  // [nodes + 1]
  std::vector<NodeId> distinct_;
  uint64_t link_count_ = 0;
  uint64_t graph_version_ = 0;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_SNAPSHOT_H_
