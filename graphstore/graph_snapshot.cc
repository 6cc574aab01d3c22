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
    return absl::InvalidArgumentError(absl::StrCat(
        "link (", link.source, ", ", link.relation, ", ", link.target,
        ") names a node beyond the ", nodes, " of the catalogue"));
  }
  if (link.relation >= catalogue.relations.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("link (", link.source, ", ", link.relation, ", ",
                     link.target, ") names a relation beyond the ",
                     catalogue.relations.size(), " of the catalogue"));
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
    return absl::InvalidArgumentError(absl::StrCat(
        "link (", link.source, ", ", link.relation, ", ", link.target,
        ") has the weight ", data.weights[i], "; it must be above 0"));
  }
  return absl::OkStatus();
}

absl::Status CheckCatalogue(const GraphData& data) {
  const GraphCatalogue& catalogue = data.catalogue;
  if (catalogue.nodes.size() >= kNoNode) {
    return absl::InvalidArgumentError(absl::StrCat("a graph holds at most ",
                                                   kNoNode, " nodes, not ",
                                                   catalogue.nodes.size()));
  }
  for (const NodeRecord& node : catalogue.nodes) {
    if (node.type >= catalogue.node_types.size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "node \"", node.key, "\" has type ", node.type, ", beyond the ",
          catalogue.node_types.size(), " of the catalogue"));
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
  if (absl::Status status = CheckCatalogue(data); !status.ok()) return status;
  std::shared_ptr<GraphSnapshot> snapshot(new GraphSnapshot);
  snapshot->catalogue_ = data.catalogue;
  snapshot->graph_version_ = graph_version;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    snapshot->rows_[static_cast<int>(direction)] = ArcRows(data, direction);
  }
  snapshot->link_count_ = snapshot->rows(Direction::kOut).arc_count();
  snapshot->BuildDistinctNeighbors();
  snapshot->names_ = std::make_unique<NameIndex>(&snapshot->catalogue_);
  return std::shared_ptr<const GraphSnapshot>(std::move(snapshot));
}

void GraphSnapshot::BuildDistinctNeighbors() {
  distinct_start_.reserve(node_count() + 1);
  distinct_start_.push_back(0);
  std::vector<NodeId> neighbors;
  for (size_t node = 0; node < node_count(); ++node) {
    neighbors.clear();
    for (Direction direction : {Direction::kOut, Direction::kIn}) {
      const ArcSpan arcs = Arcs(static_cast<NodeId>(node), direction);
      neighbors.insert(neighbors.end(), arcs.neighbors.begin(),
                       arcs.neighbors.end());
    }
    std::sort(neighbors.begin(), neighbors.end());
    neighbors.erase(std::unique(neighbors.begin(), neighbors.end()),
                    neighbors.end());
    std::erase(neighbors, static_cast<NodeId>(node));
    distinct_.insert(distinct_.end(), neighbors.begin(), neighbors.end());
    distinct_start_.push_back(distinct_.size());
  }
  distinct_.shrink_to_fit();
}

std::optional<RelationId> GraphSnapshot::FindRelation(
    std::string_view name) const {
  for (size_t id = 0; id < catalogue_.relations.size(); ++id) {
    if (catalogue_.relations[id] == name) return static_cast<RelationId>(id);
  }
  return std::nullopt;
}

bool GraphSnapshot::HasLink(const Link& link) const {
  const auto targets = Neighbors(link.source, link.relation, Direction::kOut);
  const auto sources = Neighbors(link.target, link.relation, Direction::kIn);
  return targets.size() <= sources.size()
             ? std::binary_search(targets.begin(), targets.end(), link.target)
             : std::binary_search(sources.begin(), sources.end(), link.source);
}

bool GraphSnapshot::AreNeighbors(NodeId a, NodeId b) const {
  auto neighbors = DistinctNeighbors(a);
  NodeId other = b;
  if (const auto of_b = DistinctNeighbors(b); of_b.size() < neighbors.size()) {
    neighbors = of_b;
    other = a;
  }
  return std::binary_search(neighbors.begin(), neighbors.end(), other);
}

std::vector<Arc> GraphSnapshot::ArcsBetween(NodeId a, NodeId b) const {
  std::vector<Arc> found;
  if (a != b && !AreNeighbors(a, b)) return found;
  for (Direction direction : {Direction::kOut, Direction::kIn}) {
    const Direction back = Reverse(direction);
    const bool from_a = Arcs(a, direction).size() <= Arcs(b, back).size();
    const NodeId end = from_a ? b : a;
    const auto look = [&](RelationId relation, std::span<const NodeId> nodes) {
      if (std::binary_search(nodes.begin(), nodes.end(), end)) {
        found.push_back({b, relation, direction});
      }
    };
    ForEachSlot(from_a ? a : b, from_a ? direction : back, look);
  }
  return found;
}

}  // namespace slice
