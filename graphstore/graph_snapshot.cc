// Build checks every id and weight once (CheckGraph), so that all later reads
// can go without checks. Then it derives, in this order: the names of the
// nodes, the arc rows of both directions, the rows of distinct neighbours from
// them, and the schema of the relations. Apply copies the snapshot, which
// shares all of that, and puts new rows in place of those that change.
//
// A link is stored twice, as an arc of its source and as an arc of its target.
// Lookups use the shorter of the two rows.
#include "graphstore/graph_snapshot.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "graphstore/graph_changes.h"
#include "graphstore/graph_limits.h"

namespace slice {
namespace {

absl::Status CheckLink(const Link& link, const GraphCatalogue& catalogue) {
  const size_t nodes = catalogue.nodes.size();
  if (link.source >= nodes || link.target >= nodes) {
    return absl::InvalidArgumentError(
        absl::StrCat("link (", link.source, ", ", link.relation, ", ",
                     link.target, ") names a node that is not among the ",
                     nodes, " nodes of the catalogue"));
  }
  if (link.relation >= catalogue.relations.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "link (", link.source, ", ", link.relation, ", ", link.target,
        ") names a relation that is not among the ", catalogue.relations.size(),
        " relations of the catalogue"));
  }
  return absl::OkStatus();
}

absl::Status CheckWeights(const GraphData& data) {
  if (data.weights.empty()) return absl::OkStatus();
  if (data.weights.size() != data.links.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", data.weights.size(), " weights for ",
                     data.links.size(), " links"));
  }
  for (size_t i = 0; i < data.weights.size(); ++i) {
    if (data.weights[i] > 0 && std::isfinite(data.weights[i])) continue;
    const Link& link = data.links[i];
    return absl::InvalidArgumentError(
        absl::StrCat("link (", link.source, ", ", link.relation, ", ",
                     link.target, ") has the weight ", data.weights[i],
                     "; it must be finite and above 0"));
  }
  return absl::OkStatus();
}

absl::Status CheckGraph(const GraphData& data) {
  const GraphCatalogue& catalogue = data.catalogue;
  if (catalogue.nodes.size() >= kNoNode) {
    return absl::InvalidArgumentError(absl::StrCat("a graph holds at most ",
                                                   kNoNode, " nodes, not ",
                                                   catalogue.nodes.size()));
  }
  if (catalogue.node_types.size() > kMostNodeTypes) {
    return absl::InvalidArgumentError(
        absl::StrCat("a graph holds at most ", kMostNodeTypes,
                     " node types, not ", catalogue.node_types.size()));
  }
  for (const NodeRecord& node : catalogue.nodes) {
    if (node.type >= catalogue.node_types.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("node \"", node.key, "\" has type ", node.type,
                       ", which is not among the ", catalogue.node_types.size(),
                       " types of the catalogue"));
    }
  }
  for (const Link& link : data.links) {
    if (absl::Status status = CheckLink(link, catalogue); !status.ok())
      return status;
  }
  return CheckWeights(data);
}

// The records with row i of `block` as that of nodes[i].
RowTable<NodeBlock> WithRecords(const RowTable<NodeBlock>& records,
                                const std::vector<NodeId>& nodes,
                                const NodeBlock& block, size_t node_count) {
  size_t next = 0;  // of `nodes`
  return records.With(
      nodes, node_count,
      [&](NodeId first, NodeId end, std::span<const NodeId>) {
        auto made = std::make_shared<NodeBlock>();
        for (NodeId node = first; node < end; ++node) {
          const bool is_new = next < nodes.size() && nodes[next] == node;
          const auto [from, row] =
              is_new ? RowTable<NodeBlock>::Place{&block, next++}
                     : records.Find(node);
          made->nodes.push_back(from->nodes[row]);
          made->removed.push_back(from->IsRemoved(row));
        }
        return made;
      });
}

}  // namespace

absl::StatusOr<std::shared_ptr<const GraphSnapshot>> GraphSnapshot::Build(
    const GraphData& data, uint64_t graph_version) {
  if (absl::Status status = CheckGraph(data); !status.ok()) return status;
  std::shared_ptr<GraphSnapshot> snapshot(new GraphSnapshot);
  snapshot->graph_version_ = graph_version;
  snapshot->Fill(data, std::make_shared<const NodeBlock>(
                           NodeBlock{data.catalogue.nodes, {}}));
  snapshot->schema_ = std::make_shared<const RelationSchema>(
      snapshot->rows_[0], snapshot->rows_[1], data.catalogue);
  std::vector<uint64_t> links;
  for (size_t relation = 0; relation < snapshot->relation_count(); ++relation)
    links.push_back(
        snapshot->schema_->links(static_cast<RelationId>(relation)));
  snapshot->relation_links_ =
      std::make_shared<const std::vector<uint64_t>>(std::move(links));
  return std::shared_ptr<const GraphSnapshot>(std::move(snapshot));
}

void GraphSnapshot::Fill(const GraphData& data,
                         std::shared_ptr<const NodeBlock> nodes) {
  const GraphCatalogue& catalogue = data.catalogue;
  node_count_ = catalogue.nodes.size();
  removed_nodes_ = static_cast<size_t>(
      std::count(nodes->removed.begin(), nodes->removed.end(), true));
  node_types_ = std::make_shared<const TypeNames>(catalogue.node_types);
  relations_ =
      std::make_shared<const std::vector<std::string>>(catalogue.relations);
  nodes_ = RowTable<NodeBlock>(nodes);
  names_ = NodeNames(std::move(nodes));
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    rows_[static_cast<int>(direction)] = ArcRows(data, direction);
  }
  link_count_ = rows(Direction::kOut).arc_count();
  neighbor_rows_ =
      NeighborRows(rows(Direction::kOut), rows(Direction::kIn), node_count_);
}

std::shared_ptr<const GraphSnapshot> GraphSnapshot::OffBase(
    size_t most_pages) const {
  std::shared_ptr<GraphSnapshot> moved(new GraphSnapshot(*this));
  for (ArcRows& rows : moved->rows_)
    rows = rows.OffBase(node_count_, most_pages);
  moved->neighbor_rows_ = neighbor_rows_.OffBase(node_count_, most_pages);
  return moved;
}

std::shared_ptr<const GraphSnapshot> GraphSnapshot::Compacted() const {
  auto nodes = std::make_shared<NodeBlock>();
  nodes->nodes.reserve(node_count_);
  nodes->removed.reserve(node_count_);
  for (NodeId node = 0; node < node_count_; ++node) {
    nodes->nodes.push_back(Node(node));
    nodes->removed.push_back(IsRemoved(node));
  }
  std::shared_ptr<GraphSnapshot> compact(new GraphSnapshot());
  compact->graph_version_ = graph_version_;
  compact->Fill(Data(), std::move(nodes));
  compact->schema_ = schema_;
  compact->relation_links_ = relation_links_;
  return compact;
}

absl::StatusOr<std::shared_ptr<const GraphSnapshot>> GraphSnapshot::Apply(
    const GraphChanges& changes, uint64_t graph_version) const {
  const ChangeableGraph graph = {node_count_, node_type_count(),
                                 relation_count(), &nodes_, &names_};
  if (absl::Status status = CheckChanges(graph, changes); !status.ok())
    return status;
  std::shared_ptr<GraphSnapshot> changed(new GraphSnapshot(*this));
  changed->graph_version_ = graph_version;
  changed->ApplyToNodes(changes);
  changed->ApplyToLinks(changes, node_count_);
  return std::shared_ptr<const GraphSnapshot>(std::move(changed));
}

void GraphSnapshot::ApplyToNodes(const GraphChanges& changes) {
  if (!changes.added_types.empty()) {
    std::vector<std::string> types = node_types();
    types.insert(types.end(), changes.added_types.begin(),
                 changes.added_types.end());
    node_types_ = std::make_shared<const TypeNames>(std::move(types));
  }
  struct Row {
    NodeRecord record;
    bool removed = false;
  };
  const size_t old_node_count = node_count_;
  std::map<NodeId, Row> rows;
  for (const NodeId node : changes.removed_nodes)
    rows[node] = {Node(node), true};
  for (const auto& [node, record] : changes.set_nodes) rows[node] = {record};
  for (const NodeRecord& record : changes.added_nodes)
    rows[static_cast<NodeId>(node_count_++)] = {record};
  std::vector<NodeId> nodes;
  auto block = std::make_shared<NodeBlock>();
  for (auto& [node, row] : rows) {
    const bool was_removed = node < old_node_count && IsRemoved(node);
    removed_nodes_ += row.removed;
    removed_nodes_ -= was_removed;
    nodes.push_back(node);
    block->nodes.push_back(std::move(row.record));
    block->removed.push_back(row.removed);
  }
  nodes_ = WithRecords(nodes_, nodes, *block, node_count_);
  names_ = names_.With(nodes, std::move(block));
}

void GraphSnapshot::ApplyToLinks(const GraphChanges& changes,
                                 size_t old_node_count) {
  std::vector<ArcChange> arcs[2];  // by direction
  const auto add = [&](const Link& link, bool removed, float weight) {
    arcs[0].push_back(
        {link.source, link.relation, link.target, removed, weight});
    arcs[1].push_back(
        {link.target, link.relation, link.source, removed, weight});
  };
  for (const auto& [link, weight] : changes.added_links)
    add(link, false, weight);
  for (const Link& link : changes.removed_links) add(link, true, 1);
  for (const NodeId node : changes.removed_nodes) {
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      const ArcSpan row = Arcs(node, direction);
      for (size_t i = 0; i < row.size(); ++i) {
        const NodeId other = row.neighbors[i];
        add(direction == Direction::kOut ? Link{node, row.relations[i], other}
                                         : Link{other, row.relations[i], node},
            true, 1);
      }
    }
  }
  std::set<NodeId> nodes;  // whose rows change
  for (auto node = static_cast<NodeId>(old_node_count); node < node_count_;
       ++node)
    nodes.insert(node);
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    std::vector<ArcChange>& of = arcs[static_cast<int>(direction)];
    // The links of a removed node are removed from both of its ends.
    std::sort(of.begin(), of.end(), ArcChange::Before);
    of.erase(std::unique(of.begin(), of.end(), ArcChange::SameArc), of.end());
    for (const ArcChange& change : of) nodes.insert(change.node);
    if (direction == Direction::kOut) CountLinks(of, old_node_count);
    ArcRows& rows = rows_[static_cast<int>(direction)];
    rows = rows.With(of, old_node_count, node_count_);
  }
  link_count_ = rows(Direction::kOut).arc_count();
  const std::vector<NodeId> changed(nodes.begin(), nodes.end());
  neighbor_rows_ = neighbor_rows_.With(changed, rows(Direction::kOut),
                                       rows(Direction::kIn), node_count_);
}

void GraphSnapshot::CountLinks(std::span<const ArcChange> out,
                               size_t old_node_count) {
  auto links = std::make_shared<std::vector<uint64_t>>(*relation_links_);
  for (const ArcChange& change : out) {
    const bool was_there =
        change.node < old_node_count && change.neighbor < old_node_count &&
        HasLink({change.node, change.relation, change.neighbor});
    uint64_t& count = (*links)[change.relation];
    if (change.removed) {
      count -= was_there;
    } else {
      count += !was_there;
    }
  }
  relation_links_ = std::move(links);
}

GraphCatalogue GraphSnapshot::Catalogue() const {
  GraphCatalogue catalogue{{}, node_types(), *relations_};
  catalogue.nodes.reserve(node_count_);
  for (NodeId node = 0; node < node_count_; ++node)
    catalogue.nodes.push_back(Node(node));
  return catalogue;
}

GraphData GraphSnapshot::Data() const {
  GraphData data{Catalogue(), {}, {}};
  data.links.reserve(link_count_);
  for (NodeId node = 0; node < node_count_; ++node) {
    const ArcSpan arcs = Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i) {
      data.links.push_back({node, arcs.relations[i], arcs.neighbors[i]});
      if (has_weights()) data.weights.push_back(arcs.Weight(i));
    }
  }
  return data;
}

std::optional<float> GraphSnapshot::WeightOf(const Link& link) const {
  const auto targets = Neighbors(link.source, link.relation, Direction::kOut);
  const auto at = FindSorted(targets, link.target);
  if (!at) return std::nullopt;
  const ArcSpan arcs = Arcs(link.source, Direction::kOut);
  const auto first = targets.data() - arcs.neighbors.data();
  return arcs.Weight(static_cast<size_t>(first) + *at);
}

std::optional<RelationId> GraphSnapshot::FindRelation(
    std::string_view name) const {
  for (size_t id = 0; id < relations_->size(); ++id) {
    if ((*relations_)[id] == name) return static_cast<RelationId>(id);
  }
  return std::nullopt;
}

void GraphSnapshot::Prefetch(std::span<const NodeId> nodes) const {
  for (const NodeId node : nodes) {
    neighbor_rows_.PrefetchStart(node);
    for (const ArcRows& rows : rows_) rows.PrefetchSlotStart(node);
  }
  for (const NodeId node : nodes) {
    neighbor_rows_.Prefetch(node);
    for (const ArcRows& rows : rows_) rows.PrefetchSlots(node);
  }
}

bool GraphSnapshot::HasLink(const Link& link) const {
  const auto targets = Neighbors(link.source, link.relation, Direction::kOut);
  const auto sources = Neighbors(link.target, link.relation, Direction::kIn);
  return targets.size() <= sources.size()
             ? std::binary_search(targets.begin(), targets.end(), link.target)
             : std::binary_search(sources.begin(), sources.end(), link.source);
}

bool GraphSnapshot::AreNeighbors(NodeId a, NodeId b) const {
  const auto of_a = DistinctNeighbors(a);
  const auto of_b = DistinctNeighbors(b);
  return of_a.size() <= of_b.size() ? FindSorted(of_a, b).has_value()
                                    : FindSorted(of_b, a).has_value();
}

std::vector<Arc> GraphSnapshot::ArcsBetween(NodeId a, NodeId b) const {
  std::vector<Arc> found;
  if (a != b) {
    ForEachArcBetween(a, b, [&](RelationId relation, Direction direction) {
      found.push_back({b, relation, direction});
    });
    return found;
  }
  if (!neighbor_rows_.HasSelfLoop(a)) return found;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    ForEachSlot(a, direction,
                [&](RelationId relation, std::span<const NodeId> nodes) {
                  if (FindSorted(nodes, a)) {
                    found.push_back({a, relation, direction});
                  }
                });
  }
  return found;
}

}  // namespace slice
