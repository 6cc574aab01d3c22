#include "graphstore/arc_rows.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "graphstore/packed_arc.h"

namespace slice {
namespace {

// One row while it is changed.
struct ChangedRow {
  std::vector<NodeId> neighbors;
  std::vector<RelationId> relations;
  std::vector<float> weights;

  void Add(RelationId relation, NodeId neighbor, float weight) {
    relations.push_back(relation);
    neighbors.push_back(neighbor);
    weights.push_back(weight);
  }
};

// Merges a row with the changes of its node.
ChangedRow Merged(const ArcSpan& before, std::span<const ArcChange> changes) {
  ChangedRow row;
  const auto before_arc = [&](size_t i) {
    return PackArc(before.relations[i], before.neighbors[i]);
  };
  size_t at = 0;
  for (const ArcChange& change : changes) {
    const uint64_t arc = PackArc(change.relation, change.neighbor);
    for (; at < before.size() && before_arc(at) < arc; ++at)
      row.Add(before.relations[at], before.neighbors[at], before.Weight(at));
    if (at < before.size() && before_arc(at) == arc) ++at;
    if (!change.removed)
      row.Add(change.relation, change.neighbor, change.weight);
  }
  for (; at < before.size(); ++at)
    row.Add(before.relations[at], before.neighbors[at], before.Weight(at));
  return row;
}

}  // namespace

ArcRows::ArcRows(const GraphData& data, Direction direction) {
  auto base = std::make_shared<const ArcBlock>(data, direction);
  arc_count_ = base->arc_count();
  has_weights_ = base->has_weights();
  rows_ = RowTable<ArcBlock>(std::move(base));
}

ArcRows ArcRows::With(std::span<const ArcChange> changes, size_t old_node_count,
                      size_t node_count) const {
  ArcRows changed = *this;
  changed.has_weights_ =
      has_weights_ ||
      std::any_of(changes.begin(), changes.end(), [](const ArcChange& change) {
        return !change.removed && change.weight != 1;
      });
  std::vector<NodeId> nodes;
  auto block = std::make_shared<ArcBlock>();
  const auto append = [&](NodeId node, std::span<const ArcChange> of_node) {
    const ArcSpan before = node < old_node_count ? Arcs(node) : ArcSpan{};
    const ChangedRow row = Merged(before, of_node);
    ArcSpan after{row.neighbors, row.relations, {}};
    if (changed.has_weights_) after.weights = row.weights;
    block->Append(after);
    nodes.push_back(node);
    changed.arc_count_ += after.size();
    changed.arc_count_ -= before.size();
  };
  auto next =
      static_cast<NodeId>(old_node_count);  // new node without a row yet
  for (size_t begin = 0, end = 0; begin < changes.size(); begin = end) {
    const NodeId node = changes[begin].node;
    while (end < changes.size() && changes[end].node == node) ++end;
    for (; next < node; ++next) append(next, {});
    append(node, changes.subspan(begin, end - begin));
    if (node == next) ++next;
  }
  for (; next < node_count; ++next) append(next, {});
  block->Finish();
  changed.rows_ = rows_.With(nodes, block, node_count);
  return changed;
}

}  // namespace slice
