#include "graphstore/arc_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "graphstore/arc_block_builder.h"
#include "graphstore/packed_arc.h"

namespace slice {
namespace {

// Appends a row with the changes of its node.
void AddMerged(const ArcSpan& before, std::span<const ArcChange> changes,
               ArcBlockBuilder& builder) {
  const auto add_before = [&](size_t i) {
    builder.AddArc(before.relations[i], before.neighbors[i], before.Weight(i));
  };
  const auto before_arc = [&](size_t i) {
    return PackArc(before.relations[i], before.neighbors[i]);
  };
  size_t at = 0;
  for (const ArcChange& change : changes) {
    const uint64_t arc = PackArc(change.relation, change.neighbor);
    for (; at < before.size() && before_arc(at) < arc; ++at) add_before(at);
    if (at < before.size() && before_arc(at) == arc) ++at;
    if (!change.removed)
      builder.AddArc(change.relation, change.neighbor, change.weight);
  }
  for (; at < before.size(); ++at) add_before(at);
}

// The nodes of the changes and those that are new; ascending.
std::vector<NodeId> ChangedNodes(std::span<const ArcChange> changes,
                                 size_t old_node_count, size_t node_count) {
  std::vector<NodeId> nodes;
  for (const ArcChange& change : changes) {
    if (change.node >= old_node_count) break;
    if (nodes.empty() || nodes.back() != change.node)
      nodes.push_back(change.node);
  }
  for (size_t node = old_node_count; node < node_count; ++node)
    nodes.push_back(static_cast<NodeId>(node));
  return nodes;
}

}  // namespace

ArcRows::ArcRows(const GraphData& data, Direction direction) {
  auto base = AllArcs(data, direction);
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
  ArcBlockBuilder builder(changed.has_weights_);
  auto next = changes.begin();
  const auto make = [&](NodeId first, NodeId end, std::span<const NodeId>) {
    for (NodeId node = first; node < end; ++node) {
      const auto begin = next;
      while (next != changes.end() && next->node == node) ++next;
      const ArcSpan before = node < old_node_count ? Arcs(node) : ArcSpan{};
      if (begin == next) {
        builder.AddArcs(before);
      } else {
        AddMerged(before, {begin, next}, builder);
      }
      changed.arc_count_ -= before.size();
      builder.EndRow();
    }
    changed.arc_count_ += builder.arc_count();
    return builder.Build();
  };
  changed.rows_ = rows_.With(ChangedNodes(changes, old_node_count, node_count),
                             node_count, make);
  return changed;
}

ArcRows ArcRows::OffBase(size_t node_count, size_t most_pages) const {
  ArcRows moved = *this;
  ArcBlockBuilder builder(has_weights_);
  moved.rows_ =
      rows_.OffBase(node_count, most_pages,
                    [&](NodeId first, NodeId end, std::span<const NodeId>) {
                      for (NodeId node = first; node < end; ++node) {
                        builder.AddArcs(Arcs(node));
                        builder.EndRow();
                      }
                      return builder.Build();
                    });
  return moved;
}

}  // namespace slice
