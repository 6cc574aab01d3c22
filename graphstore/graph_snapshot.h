// The whole graph in memory: compressed sparse rows for both directions, the
// catalogue of nodes, and their names. Every lookup on the request path reads
// this, never RocksDB. A graph changes by new versions of the snapshot, which
// share all rows that stay (Apply).
#ifndef SLICE_GRAPHSTORE_GRAPH_SNAPSHOT_H_
#define SLICE_GRAPHSTORE_GRAPH_SNAPSHOT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/arc_rows.h"
#include "graphstore/graph_data.h"
#include "graphstore/neighbor_rows.h"
#include "graphstore/node_block.h"
#include "graphstore/node_names.h"
#include "graphstore/relation_schema.h"
#include "graphstore/row_table.h"
#include "graphstore/type_names.h"
#include "graphstore/types.h"

namespace slice {

struct GraphChanges;

// Immutable; thread-safe without locks.
class GraphSnapshot {
 public:
  // Takes links in any order. A link that occurs several times counts once,
  // with the largest of its weights. INVALID_ARGUMENT when the catalogue lacks
  // a node or relation of a link, or the type of a node, for a weight that is
  // not a finite number above 0, and for more nodes or types than a graph
  // holds.
  static absl::StatusOr<std::shared_ptr<const GraphSnapshot>> Build(
      const GraphData& data, uint64_t graph_version = 0);

  // The graph after changes, as Build() makes it of the changed data. Takes
  // time in proportion to the arcs of the nodes that change and of the three
  // nodes beside each of them. The schema stays that of Build(). Returns the
  // errors of CheckChanges().
  absl::StatusOr<std::shared_ptr<const GraphSnapshot>> Apply(
      const GraphChanges& changes, uint64_t graph_version) const;

  // See RowTable::OffBase: for versions that last. 16 pages take a millisecond.
  std::shared_ptr<const GraphSnapshot> OffBase(size_t most_pages = 16) const;

  // The same version, without what earlier ones left behind. O(nodes + links).
  std::shared_ptr<const GraphSnapshot> Compacted() const;

  // Nodes that were removed count, too: their ids stay taken.
  size_t node_count() const { return node_count_; }
  size_t present_node_count() const { return node_count_ - removed_nodes_; }
  size_t relation_count() const { return relations_->size(); }
  size_t node_type_count() const { return node_types().size(); }
  uint64_t link_count() const { return link_count_; }
  uint64_t link_count(RelationId relation) const {
    return (*relation_links_)[relation];
  }
  uint64_t graph_version() const { return graph_version_; }
  // Whether any link has a weight other than 1.
  bool has_weights() const { return rows_[0].has_weights(); }

  // Keys and names of nodes, types and relations. REQUIRES: the id is in range.
  const NodeRecord& Node(NodeId node) const {
    const auto [block, row] = nodes_.Find(node);
    return block->nodes[row];
  }
  const std::string& Key(NodeId node) const { return Node(node).key; }
  const std::string& Name(NodeId node) const { return Node(node).name; }
  NodeTypeId Type(NodeId node) const { return Node(node).type; }
  // A removed node has no links, and names() do not find it.
  bool IsRemoved(NodeId node) const {
    const auto [block, row] = nodes_.Find(node);
    return block->IsRemoved(row);
  }
  const std::string& TypeName(NodeTypeId type) const {
    return node_types()[type];
  }
  const std::string& RelationName(RelationId relation) const {
    return (*relations_)[relation];
  }
  const std::vector<std::string>& node_types() const {
    return node_types_->names();
  }
  const std::vector<std::string>& relations() const { return *relations_; }
  // A copy of the records of all nodes, with the types and relations.
  GraphCatalogue Catalogue() const;
  // All links by source; the catalogue with removed nodes.
  GraphData Data() const;
  const NodeNames& names() const { return names_; }
  // That of the graph as it was built: changes do not alter it.
  const RelationSchema& schema() const { return *schema_; }
  std::shared_ptr<const RelationSchema> shared_schema() const {
    return schema_;
  }
  std::optional<RelationId> FindRelation(std::string_view name) const;
  std::optional<NodeTypeId> FindNodeType(std::string_view name) const {
    return node_types_->Find(name);
  }

  // All arcs of `node` in one direction, sorted by (relation, neighbor).
  ArcSpan Arcs(NodeId node, Direction direction) const {
    return rows(direction).Arcs(node);
  }

  // The neighbours of `node` by one of its r relations, ascending. O(log r).
  std::span<const NodeId> Neighbors(NodeId node, RelationId relation,
                                    Direction direction) const {
    return rows(direction).Neighbors(node, relation);
  }

  // Calls visit(RelationId, std::span<const NodeId>) for each slot of `node` in
  // `direction`: relations ascend, and so do the neighbours of a slot.
  template <typename Visit>
  void ForEachSlot(NodeId node, Direction direction, Visit visit) const {
    rows(direction).ForEachSlot(node, visit);
  }

  // The distinct neighbours of `node` over all relations and both directions,
  // ascending. The node itself is not among them: self loops show in Arcs only.
  std::span<const NodeId> DistinctNeighbors(NodeId node) const {
    return neighbor_rows_.Neighbors(node);
  }
  // The distinct neighbours of all nodes, with their relations.
  const NeighborRows& neighbor_rows() const { return neighbor_rows_; }

  // Fetches the rows of all `nodes` into the cache, for their later use.
  void Prefetch(std::span<const NodeId> nodes) const;

  bool HasLink(const Link& link) const;
  std::optional<float> WeightOf(const Link& link) const;

  // Whether a link of any relation joins `a` and `b`, in either direction;
  // never when a == b. O(log n) in the smaller number of neighbours.
  bool AreNeighbors(NodeId a, NodeId b) const;

  // All arcs from `a` to `b`: outgoing ones first, then by relation. When
  // b == a, each self loop is in it twice, as outgoing and as incoming arc.
  std::vector<Arc> ArcsBetween(NodeId a, NodeId b) const;

  // Calls visit(RelationId, Direction) for the arcs of ArcsBetween, in their
  // order. To find them takes the time of AreNeighbors. REQUIRES: a != b.
  template <typename Visit>
  void ForEachArcBetween(NodeId a, NodeId b, Visit visit) const;

 private:
  GraphSnapshot() = default;
  const ArcRows& rows(Direction direction) const {
    return rows_[static_cast<int>(direction)];
  }

  // `nodes` are those of the catalogue of `data`.
  void Fill(const GraphData& data, std::shared_ptr<const NodeBlock> nodes);
  void ApplyToNodes(const GraphChanges& changes);
  void ApplyToLinks(const GraphChanges& changes, size_t old_node_count);
  // Sets relation_links_. The rows are still those before the changes.
  void CountLinks(std::span<const ArcChange> out, size_t old_node_count);

  size_t node_count_ = 0, removed_nodes_ = 0;
  RowTable<NodeBlock> nodes_;
  std::shared_ptr<const TypeNames> node_types_;
  std::shared_ptr<const std::vector<std::string>> relations_;
  NodeNames names_;
  ArcRows rows_[2];  // indexed by Direction
  NeighborRows neighbor_rows_;
  std::shared_ptr<const RelationSchema> schema_;
  uint64_t link_count_ = 0;
  std::shared_ptr<const std::vector<uint64_t>> relation_links_;
  uint64_t graph_version_ = 0;
};

template <typename Visit>
void GraphSnapshot::ForEachArcBetween(NodeId a, NodeId b, Visit visit) const {
  const bool from_a =
      DistinctNeighbors(a).size() <= DistinctNeighbors(b).size();
  const NodeId node = from_a ? a : b;
  const auto position = FindSorted(DistinctNeighbors(node), from_a ? b : a);
  if (!position) return;
  const auto relations = neighbor_rows_.Relations(node, *position);
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const bool positive = (direction == Direction::kOut) == from_a;
    for (const int32_t relation : relations) {
      if ((relation > 0) != positive) continue;
      visit(RelationOfSigned(relation), direction);
    }
  }
}

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_GRAPH_SNAPSHOT_H_
