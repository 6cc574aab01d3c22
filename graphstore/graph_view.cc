// Three lists say what is hidden: pairs_, links_ and slots_. From these
// IsLinkHidden answers for any link. A hidden fold needs no list, since the
// fold of a link is a hash.
//
// Reading neighbours needs more: a node loses a neighbour only when every link
// between the two is hidden. The methods that hide something work this out for
// the few nodes concerned. changed_ holds the ends of hidden pairs and links
// and the sources of hidden slots, each with the neighbours that it loses. The
// targets of a hidden slot may be many and get no entry: what such a target
// loses stands in the entry of the source.
//
// Invariants: all lists are sorted and distinct. The source of every hidden
// link is in changed_. So is its target, unless only a slot hides the link.
// changed_mask_ has a bit for every node of changed_, so that for most nodes
// the snapshot answers without a search.
#include "graphstore/graph_view.h"

#include <algorithm>

namespace slice {
namespace {

bool ContainsSorted(std::span<const NodeId> sorted, NodeId node) {
  return std::binary_search(sorted.begin(), sorted.end(), node);
}

// Inserts into a sorted vector of distinct values. Returns false when the value
// is in the vector already.
template <typename Vector, typename T>
bool InsertSorted(Vector& sorted, const T& value) {
  const auto position = std::lower_bound(sorted.begin(), sorted.end(), value);
  if (position != sorted.end() && *position == value) return false;
  sorted.insert(position, value);
  return true;
}

// Calls visit(position in a) for every value that two ascending lists share.
// O(s log l), where s is the length of the shorter list and l of the longer.
template <typename Visit>
void ForEachCommon(std::span<const NodeId> a, std::span<const NodeId> b,
                   Visit visit) {
  if (a.size() <= b.size()) {
    auto from = b.begin();
    for (size_t i = 0; i < a.size() && from != b.end(); ++i) {
      from = std::lower_bound(from, b.end(), a[i]);
      if (from != b.end() && *from == a[i]) visit(i);
    }
    return;
  }
  auto from = a.begin();
  for (const NodeId value : b) {
    from = std::lower_bound(from, a.end(), value);
    if (from == a.end()) return;
    if (*from == value) visit(from - a.begin());
  }
}

}  // namespace

// Between the ends of most queried links the graph has no link. Then nothing is
// hidden, and reading stays as fast as without hiding.
void GraphView::HidePair(NodeId a, NodeId b) {
  const bool joined = a == b ? snapshot_->neighbor_rows().HasSelfLoop(a)
                             : snapshot_->AreNeighbors(a, b);
  if (!joined) return;
  if (!InsertSorted(pairs_, HiddenPair{std::min(a, b), std::max(a, b)})) return;
  AddChanged(a);
  AddChanged(b);
  UpdatePair(a, b);
}

void GraphView::HideLink(const Link& link) {
  if (!snapshot_->HasLink(link)) return;
  if (!InsertSorted(links_, link)) return;
  AddChanged(link.source);
  AddChanged(link.target);
  UpdatePair(link.source, link.target);
}

void GraphView::HideRelationAtSource(NodeId source, RelationId relation) {
  if (!InsertSorted(slots_, HiddenSlot{source, relation})) return;
  AddChanged(source);
  const std::vector<NodeId> lost = TargetsWhollyHidden(source, relation);
  auto& hidden = FindChanged(source)->hidden_neighbors;
  absl::InlinedVector<NodeId, 2> merged;
  merged.reserve(hidden.size() + lost.size());
  std::set_union(hidden.begin(), hidden.end(), lost.begin(), lost.end(),
                 std::back_inserter(merged));
  hidden = std::move(merged);
  for (ChangedNode& other : changed_) {
    if (ContainsSorted(lost, other.node))
      InsertSorted(other.hidden_neighbors, source);
  }
}

void GraphView::HideFold(const LinkFolds* folds, int fold) {
  folds_ = folds;
  hidden_fold_ = fold;
}

std::vector<NodeId> GraphView::TargetsWhollyHidden(NodeId source,
                                                   RelationId relation) const {
  const auto targets = snapshot_->Neighbors(source, relation, Direction::kOut);
  std::vector<char> shown(targets.size(), 0);
  for (Direction direction : {Direction::kOut, Direction::kIn}) {
    snapshot_->ForEachSlot(
        source, direction,
        [&](RelationId other, std::span<const NodeId> neighbors) {
          ForEachCommon(targets, neighbors, [&](size_t i) {
            if (shown[i]) return;
            const Arc arc{targets[i], other, direction};
            shown[i] = !IsLinkHidden(AsLink(source, arc));
          });
        });
  }
  std::vector<NodeId> hidden;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (!shown[i] && targets[i] != source) hidden.push_back(targets[i]);
  }
  return hidden;
}

void GraphView::AddChanged(NodeId node) {
  const auto position = std::lower_bound(
      changed_.begin(), changed_.end(), node,
      [](const ChangedNode& entry, NodeId id) { return entry.node < id; });
  if (position != changed_.end() && position->node == node) return;
  ChangedNode added{node, {}};
  for (const ChangedNode& other : changed_) {
    if (ContainsSorted(other.hidden_neighbors, node))
      added.hidden_neighbors.push_back(other.node);
  }
  changed_.insert(position, std::move(added));
  changed_mask_ |= MaskOf(node);
}

void GraphView::UpdatePair(NodeId a, NodeId b) {
  if (a == b) return;
  bool linked = false, shown = false;
  snapshot_->ForEachArcBetween(
      a, b, [&](RelationId relation, Direction direction) {
        linked = true;
        shown |= !IsLinkHidden(AsLink(a, {b, relation, direction}));
      });
  if (!linked || shown) return;
  InsertSorted(FindChanged(a)->hidden_neighbors, b);
  InsertSorted(FindChanged(b)->hidden_neighbors, a);
}

const ChangedNode* GraphView::FindChanged(NodeId node) const {
  if ((changed_mask_ & MaskOf(node)) == 0) return nullptr;
  const auto found = std::lower_bound(
      changed_.begin(), changed_.end(), node,
      [](const ChangedNode& entry, NodeId id) { return entry.node < id; });
  return found != changed_.end() && found->node == node ? &*found : nullptr;
}

bool GraphView::IsLinkHidden(const Link& link) const {
  // The source of every hidden link is a changed node.
  if (FindChanged(link.source) == nullptr) return false;
  return std::binary_search(pairs_.begin(), pairs_.end(),
                            HiddenPair{std::min(link.source, link.target),
                                       std::max(link.source, link.target)}) ||
         std::binary_search(slots_.begin(), slots_.end(),
                            HiddenSlot{link.source, link.relation}) ||
         std::binary_search(links_.begin(), links_.end(), link);
}

bool GraphView::HasLink(const Link& link) const {
  return !IsHidden(link) && snapshot_->HasLink(link);
}

bool GraphView::IsNeighborHidden(NodeId node, NodeId neighbor) const {
  if (IsFoldHidden(node, neighbor)) return true;
  if (const ChangedNode* changed = FindChanged(node))
    return ContainsSorted(changed->hidden_neighbors, neighbor);
  const ChangedNode* changed = FindChanged(neighbor);
  return changed != nullptr && ContainsSorted(changed->hidden_neighbors, node);
}

bool GraphView::AreNeighbors(NodeId a, NodeId b) const {
  return snapshot_->AreNeighbors(a, b) && !IsNeighborHidden(a, b);
}

template <typename Visit>
void GraphView::ForEachHiddenNeighbor(NodeId node, Visit visit) const {
  if (const ChangedNode* changed = FindChanged(node)) {
    for (const NodeId neighbor : changed->hidden_neighbors) visit(neighbor);
    return;
  }
  for (const ChangedNode& changed : changed_) {
    if (ContainsSorted(changed.hidden_neighbors, node)) visit(changed.node);
  }
}

NeighborList GraphView::VisibleNeighbors(NodeId node) const {
  const auto all = snapshot_->DistinctNeighbors(node);
  NeighborList::HiddenPositions hidden;
  if (folds_ != nullptr) {
    for (uint32_t position = 0; position < all.size(); ++position) {
      if (IsNeighborHidden(node, all[position])) hidden.push_back(position);
    }
    return NeighborList(all, std::move(hidden));
  }
  auto from = all.begin();
  ForEachHiddenNeighbor(node, [&](NodeId neighbor) {
    from = std::lower_bound(from, all.end(), neighbor);
    hidden.push_back(static_cast<uint32_t>(from - all.begin()));
  });
  return NeighborList(all, std::move(hidden));
}

size_t GraphView::CountVisibleNeighbors(NodeId node) const {
  if (folds_ != nullptr) return Neighbors(node).size();
  size_t count = snapshot_->DistinctNeighbors(node).size();
  ForEachHiddenNeighbor(node, [&](NodeId) { --count; });
  return count;
}

bool GraphView::IsSlotHidden(NodeId source, RelationId relation) const {
  return std::binary_search(slots_.begin(), slots_.end(),
                            HiddenSlot{source, relation});
}

size_t GraphView::SlotDegree(NodeId node, RelationId relation,
                             Direction direction) const {
  const auto slot = snapshot_->Neighbors(node, relation, direction);
  if (HasAllArcs(node)) return slot.size();
  if (direction == Direction::kOut && IsSlotHidden(node, relation)) return 0;
  if (folds_ != nullptr || slot.size() < changed_.size()) {
    return std::count_if(slot.begin(), slot.end(), [&](NodeId neighbor) {
      return IsVisible(node, {neighbor, relation, direction});
    });
  }
  // The other end of every hidden arc is a changed node: hidden pairs and links
  // change both ends, and the hidden slots of `node` itself were handled above.
  size_t count = slot.size();
  for (const ChangedNode& changed : changed_) {
    const Arc arc{changed.node, relation, direction};
    if (IsLinkHidden(AsLink(node, arc)) && ContainsSorted(slot, changed.node))
      --count;
  }
  return count;
}

bool GraphView::MayHideSelfLoops(NodeId node) const {
  return !slots_.empty() || !links_.empty() ||
         std::binary_search(pairs_.begin(), pairs_.end(),
                            HiddenPair{node, node});
}

size_t GraphView::ArcCount(NodeId node) const {
  if (folds_ != nullptr) {
    size_t count = 0;
    ForEachArc(node, [&](const Arc&) { ++count; });
    return count;
  }
  size_t count = snapshot_->Arcs(node, Direction::kOut).size() +
                 snapshot_->Arcs(node, Direction::kIn).size();
  if (HasAllArcs(node)) return count;
  for (const HiddenSlot& slot : slots_) {
    if (slot.source == node)
      count -=
          snapshot_->Neighbors(node, slot.relation, Direction::kOut).size();
  }
  for (const ChangedNode& changed : changed_) {
    if (changed.node == node && !MayHideSelfLoops(node)) continue;
    const auto discount = [&](RelationId relation, Direction direction) {
      const bool counted =
          direction == Direction::kOut && IsSlotHidden(node, relation);
      const Arc arc{changed.node, relation, direction};
      if (!counted && IsLinkHidden(AsLink(node, arc))) --count;
    };
    if (changed.node != node) {
      snapshot_->ForEachArcBetween(node, changed.node, discount);
      continue;
    }
    for (const Direction direction : {Direction::kOut, Direction::kIn}) {
      snapshot_->ForEachSlot(
          node, direction,
          [&](RelationId relation, std::span<const NodeId> nodes) {
            if (FindSorted(nodes, node)) discount(relation, direction);
          });
    }
  }
  return count;
}

std::vector<Arc> GraphView::ArcsBetween(NodeId a, NodeId b) const {
  std::vector<Arc> arcs = snapshot_->ArcsBetween(a, b);
  std::erase_if(arcs, [&](const Arc& arc) { return !IsVisible(a, arc); });
  return arcs;
}

}  // namespace slice
