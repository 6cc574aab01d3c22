// Build checks every id and weight once (CheckGraph), so that all later reads
// can go without checks. Then it derives, in this order: the arc rows of both
// directions, the rows of distinct neighbours from them, the name index, which
// points into the snapshot's own copy of the catalogue, and the schema of the
// relations.
//
// A link is stored twice, as an arc of its source and as an arc of its target.
// Lookups use the shorter of the two rows.
#include "graphstore/graph_snapshot.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"

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

}  // namespace

absl::StatusOr<std::shared_ptr<const GraphSnapshot>> GraphSnapshot::Build(
    const GraphData& data, uint64_t graph_version) {
  if (absl::Status status = CheckGraph(data); !status.ok()) return status;
  std::shared_ptr<GraphSnapshot> snapshot(new GraphSnapshot);
  snapshot->catalogue_ = data.catalogue;
  snapshot->graph_version_ = graph_version;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    snapshot->rows_[static_cast<int>(direction)] = ArcRows(data, direction);
  }
  snapshot->link_count_ = snapshot->rows(Direction::kOut).arc_count();
  snapshot->neighbor_rows_ =
      NeighborRows(snapshot->rows(Direction::kOut),
                   snapshot->rows(Direction::kIn), snapshot->node_count());
  snapshot->names_ = std::make_unique<NameIndex>(&snapshot->catalogue_);
  snapshot->schema_ = std::make_unique<RelationSchema>(
      snapshot->rows_[0], snapshot->rows_[1], snapshot->catalogue_);
  return std::shared_ptr<const GraphSnapshot>(std::move(snapshot));
}

std::optional<RelationId> GraphSnapshot::FindRelation(
    std::string_view name) const {
  for (size_t id = 0; id < catalogue_.relations.size(); ++id) {
    if (catalogue_.relations[id] == name) return static_cast<RelationId>(id);
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
