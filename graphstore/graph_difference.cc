// Two lists of changes come out. The second removes nodes that the first adds
// or sets: a removed node keeps its id, name and type for the day when its key
// comes back.
#include "graphstore/graph_difference.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"
#include "common/status_macros.h"

namespace slice {
namespace {

class Difference {
 public:
  Difference(const GraphSnapshot& from, const GraphSnapshot& to)
      : from_(from), to_(to) {}

  absl::Status Run() {
    MatchTypes();
    SLICE_RETURN_IF_ERROR(MatchRelations());
    MatchNodes();
    for (NodeId node = 0; node < to_.node_count(); ++node) AddLinks(node);
    for (NodeId node = 0; node < from_.node_count(); ++node) RemoveLinks(node);
    return absl::OkStatus();
  }

  std::vector<GraphChanges> Take() {
    std::vector<GraphChanges> changes;
    changes.push_back(std::move(first_));
    if (!last_.removed_nodes.empty()) changes.push_back(std::move(last_));
    return changes;
  }

 private:
  void MatchTypes() {
    const auto& known = from_.node_types();
    for (const std::string& name : to_.node_types()) {
      const auto at = std::find(known.begin(), known.end(), name);
      size_t id = static_cast<size_t>(at - known.begin());
      if (at == known.end()) {
        id += first_.added_types.size();
        first_.added_types.push_back(name);
      }
      types_.push_back(static_cast<NodeTypeId>(id));
    }
  }

  absl::Status MatchRelations() {
    std::vector<bool> used(to_.relation_count());
    for (NodeId node = 0; node < to_.node_count(); ++node) {
      to_.ForEachSlot(node, Direction::kOut, [&](RelationId relation, auto) {
        used[relation] = true;
      });
    }
    for (RelationId relation = 0; relation < used.size(); ++relation) {
      const std::string& name = to_.RelationName(relation);
      const auto id = from_.FindRelation(name);
      if (!id.has_value() && used[relation]) {
        return absl::FailedPreconditionError(
            absl::StrCat("the graph has links of the relation ", Quoted(name),
                         ", which the other graph does not know"));
      }
      relations_.push_back(id.value_or(0));
    }
    return absl::OkStatus();
  }

  void MatchNodes() {
    matched_.assign(from_.node_count(), kNoNode);
    NodeId next = static_cast<NodeId>(from_.node_count());
    for (NodeId node = 0; node < to_.node_count(); ++node) {
      NodeRecord record = to_.Node(node);
      record.type = types_[record.type];
      const auto there = from_.names().FindKey(record.key);
      const auto known =
          there ? there : from_.names().FindRemovedKey(record.key);
      const bool removed = to_.IsRemoved(node);
      if (!known.has_value()) {
        first_.added_nodes.push_back(std::move(record));
        if (removed) last_.removed_nodes.push_back(next);
        ids_.push_back(next++);
        continue;
      }
      ids_.push_back(*known);
      matched_[*known] = node;
      MatchKnown(*known, there.has_value(), removed, std::move(record));
    }
    for (NodeId node = 0; node < from_.node_count(); ++node) {
      if (matched_[node] == kNoNode && !from_.IsRemoved(node))
        first_.removed_nodes.push_back(node);
    }
  }

  // A node that is in `from` or was, and that is in `to` or was.
  void MatchKnown(NodeId node, bool there, bool removed, NodeRecord record) {
    const bool same = from_.Node(node) == record;
    if (!same || (!removed && !there)) {
      first_.set_nodes.push_back({node, std::move(record)});
      there = true;
    }
    if (!removed || !there) return;
    (same ? first_ : last_).removed_nodes.push_back(node);
  }

  // The weight of the link in `from`, or nothing when it is not there.
  std::optional<float> WeightInFrom(const Link& link) const {
    if (link.source >= from_.node_count()) return std::nullopt;
    return from_.WeightOf(link);
  }

  void AddLinks(NodeId node) {
    const ArcSpan arcs = to_.Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i) {
      const Link link = {ids_[node], relations_[arcs.relations[i]],
                         ids_[arcs.neighbors[i]]};
      if (WeightInFrom(link) != arcs.Weight(i))
        first_.added_links.push_back({link, arcs.Weight(i)});
    }
  }

  // The links of a removed node go with it.
  bool IsGone(NodeId node) const {
    return matched_[node] == kNoNode || to_.IsRemoved(matched_[node]);
  }

  void RemoveLinks(NodeId node) {
    if (IsGone(node)) return;
    const ArcSpan arcs = from_.Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i) {
      const NodeId target = arcs.neighbors[i];
      if (IsGone(target)) continue;
      const auto relation =
          to_.FindRelation(from_.RelationName(arcs.relations[i]));
      if (relation &&
          to_.HasLink({matched_[node], *relation, matched_[target]})) {
        continue;
      }
      first_.removed_links.push_back({node, arcs.relations[i], target});
    }
  }

  const GraphSnapshot& from_;
  const GraphSnapshot& to_;
  GraphChanges first_, last_;
  // By the ids of `to`, the ids after the first changes.
  std::vector<NodeTypeId> types_;
  std::vector<RelationId> relations_;
  std::vector<NodeId> ids_;
  std::vector<NodeId> matched_;  // by the nodes of `from`, those of `to`
};

}  // namespace

absl::StatusOr<std::vector<GraphChanges>> ChangesBetween(
    const GraphSnapshot& from, const GraphSnapshot& to) {
  Difference difference(from, to);
  SLICE_RETURN_IF_ERROR(difference.Run());
  return difference.Take();
}

}  // namespace slice
