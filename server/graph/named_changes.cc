// Two snapshots are made one after the other: the first has the new nodes, so
// that all names can be resolved in it; the second has all other changes too.
// A request without new nodes makes one snapshot only.
#include "server/graph/named_changes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"
#include "common/status_macros.h"
#include "common/table/text_fields.h"
#include "graphstore/graph_limits.h"
#include "graphstore/name_resolver.h"
#include "graphstore/node_block.h"
#include "graphstore/row_table.h"
#include "server/graph/link_resolver.h"
#include "server/grpc_status.h"

namespace slice {
namespace {

std::string FieldOf(const std::string& field, int index,
                    std::string_view part) {
  return absl::StrCat(field, "[", index, "].", std::string(part));
}

// Whether a name is one that a node, relation or type may have.
absl::Status CheckNamed(const std::string& field, const std::string& text,
                        bool required) {
  if (text.empty()) {
    return required ? InvalidField(field, "must not be empty")
                    : absl::OkStatus();
  }
  const std::string part = field.substr(field.rfind('.') + 1);
  const auto error = CheckIdentifier({text}, part);
  return error ? InvalidField(field, error->reason) : absl::OkStatus();
}

absl::Status ValidateNode(const std::string& field, bool present,
                          const v1::NodeRef& node) {
  if (!present || node.ref_case() == v1::NodeRef::REF_NOT_SET) {
    return InvalidField(field, "is missing: set its key or its name");
  }
  const bool by_key = node.has_key();
  SLICE_RETURN_IF_ERROR(CheckNamed(field + (by_key ? ".key" : ".name"),
                                   by_key ? node.key() : node.name(), true));
  return CheckNamed(field + ".type", node.type(), false);
}

absl::Status ValidateLink(const std::string& field,
                          const v1::LinkChange& link) {
  SLICE_RETURN_IF_ERROR(
      ValidateNode(field + ".source", link.has_source(), link.source()));
  SLICE_RETURN_IF_ERROR(CheckNamed(field + ".relation", link.relation(), true));
  SLICE_RETURN_IF_ERROR(
      ValidateNode(field + ".target", link.has_target(), link.target()));
  if (link.weight() >= 0 && std::isfinite(link.weight()))
    return absl::OkStatus();
  return InvalidField(field + ".weight",
                      absl::StrCat(link.weight(),
                                   " is not a finite number above 0; leave it "
                                   "out for 1"));
}

absl::Status ValidateUpsert(const std::string& field,
                            const v1::NodeChange& node) {
  SLICE_RETURN_IF_ERROR(CheckNamed(field + ".key", node.key(), true));
  SLICE_RETURN_IF_ERROR(CheckNamed(field + ".name", node.name(), false));
  return CheckNamed(field + ".type", node.type(), false);
}

// One run of ApplyNamedChanges.
class ChangeResolver {
 public:
  ChangeResolver(const GraphSnapshot& base, const NamedChanges& changes,
                 const std::string& field, const NamedChangesOptions& options)
      : base_(base), changes_(changes), field_(field), options_(options) {}

  // Makes graph_, which has the nodes that the changes add or set.
  absl::Status ApplyNodes() {
    for (int i = 0; i < changes_.size(); ++i) {
      if (!changes_[i].has_upsert_node()) continue;
      SLICE_RETURN_IF_ERROR(AddNode(i, changes_[i].upsert_node()));
    }
    if (nodes_.added_nodes.empty() && nodes_.set_nodes.empty()) {
      return absl::OkStatus();
    }
    SLICE_ASSIGN_OR_RETURN(with_nodes_,
                           base_.Apply(nodes_, options_.graph_version));
    graph_ = with_nodes_.get();
    return absl::OkStatus();
  }

  absl::Status ResolveRemovedNodes() {
    for (int i = 0; i < changes_.size(); ++i) {
      if (!changes_[i].has_remove_node()) continue;
      const std::string field = FieldOf(field_, i, "remove_node");
      const auto node =
          ResolveNode(*graph_, changes_[i].remove_node(), options_.suggestions);
      if (!node.ok()) return InPart(field, node.status());
      if (const auto [other, added] = removed_.emplace(*node, i); !added) {
        return InvalidField(field, AlsoChangedBy(other->second));
      }
      if (const auto set = set_keys_.find(graph_->Key(*node));
          set != set_keys_.end()) {
        return InvalidField(field, AlsoChangedBy(set->second));
      }
      rest_.removed_nodes.push_back(*node);
    }
    return absl::OkStatus();
  }

  absl::Status ResolveLinks() {
    for (int i = 0; i < changes_.size(); ++i) {
      const v1::GraphChange& change = changes_[i];
      if (!change.has_add_link() && !change.has_remove_link()) continue;
      const bool adds = change.has_add_link();
      SLICE_RETURN_IF_ERROR(
          AddLink(i, adds, adds ? change.add_link() : change.remove_link()));
    }
    return absl::OkStatus();
  }

  // The nodes whose rows the changes but upserts change.
  std::set<NodeId> ChangedNodes() const {
    std::set<NodeId> nodes;
    for (const auto& [link, at] : links_) {
      nodes.insert({link.source, link.target});
    }
    for (const NodeId removed : rest_.removed_nodes) {
      const auto neighbors = graph_->DistinctNeighbors(removed);
      nodes.insert(neighbors.begin(), neighbors.end());
      nodes.insert(removed);
    }
    return nodes;
  }

  size_t ArcsOf(const std::set<NodeId>& nodes) const {
    size_t arcs = 0;
    for (const NodeId node : nodes) {
      arcs += graph_->Arcs(node, Direction::kOut).size() +
              graph_->Arcs(node, Direction::kIn).size();
    }
    return arcs;
  }

  // With a row, those that share its block are copied.
  std::set<NodeId> CopiedNodes(const std::set<NodeId>& changed) const {
    constexpr NodeId kBlock = RowTable<NodeBlock>::kBlockRows;
    const auto node_count = static_cast<NodeId>(graph_->node_count());
    std::set<NodeId> copied;
    for (const NodeId node : changed) {
      const NodeId first = node / kBlock * kBlock;
      for (NodeId i = first; i < std::min(first + kBlock, node_count); ++i) {
        copied.insert(copied.end(), i);
      }
    }
    return copied;
  }

  absl::StatusOr<ChangedGraph> Apply() {
    ChangedGraph changed;
    SLICE_ASSIGN_OR_RETURN(changed.graph,
                           graph_->Apply(rest_, options_.graph_version));
    std::sort(without_effect_.begin(), without_effect_.end());
    changed.without_effect = std::move(without_effect_);
    changed.resolved = std::move(nodes_);
    changed.resolved.removed_nodes = std::move(rest_.removed_nodes);
    changed.resolved.added_links = std::move(rest_.added_links);
    changed.resolved.removed_links = std::move(rest_.removed_links);
    return changed;
  }

 private:
  std::string AlsoChangedBy(int other) const {
    return absl::StrCat("is changed by ", field_, "[", other, "] as well");
  }

  absl::StatusOr<NodeTypeId> TypeOf(int i, const std::string& name) {
    if (const auto known = base_.FindNodeType(name)) return *known;
    if (const auto added = added_types_.find(name);
        added != added_types_.end()) {
      return added->second;
    }
    const size_t count = base_.node_type_count() + added_types_.size();
    if (count >= kMostNodeTypes) {
      return InvalidField(
          FieldOf(field_, i, "upsert_node.type"),
          absl::StrCat(Quoted(name), " is new, and there are ", count,
                       " node types already, as many as a graph may have; use "
                       "one of these"));
    }
    const auto type = static_cast<NodeTypeId>(count);
    added_types_.emplace(name, type);
    nodes_.added_types.push_back(name);
    return type;
  }

  absl::Status AddNode(int i, const v1::NodeChange& asked) {
    if (const auto [other, added] = set_keys_.emplace(asked.key(), i); !added) {
      return InvalidField(FieldOf(field_, i, "upsert_node.key"),
                          AlsoChangedBy(other->second));
    }
    const std::optional<NodeId> there = base_.names().FindKey(asked.key());
    // A node that was removed comes back with what the model knows of it.
    const std::optional<NodeId> known =
        there ? there : base_.names().FindRemovedKey(asked.key());
    NodeRecord record =
        known ? base_.Node(*known) : NodeRecord{asked.key(), asked.key(), 0};
    if (!asked.name().empty()) record.name = asked.name();
    if (!asked.type().empty()) {
      SLICE_ASSIGN_OR_RETURN(record.type, TypeOf(i, asked.type()));
    }
    if (!known.has_value()) {
      nodes_.added_nodes.push_back(std::move(record));
    } else if (there && base_.Node(*there) == record) {
      without_effect_.push_back(static_cast<uint32_t>(i));
    } else {
      nodes_.set_nodes.push_back({*known, std::move(record)});
    }
    return absl::OkStatus();
  }

  absl::StatusOr<NodeId> EndOf(int i, const std::string& field,
                               const v1::NodeRef& end) {
    const auto node = ResolveNode(*graph_, end, options_.suggestions);
    if (!node.ok()) return InPart(FieldOf(field_, i, field), node.status());
    const auto removed = removed_.find(*node);
    if (removed == removed_.end()) return *node;
    return InvalidField(
        FieldOf(field_, i, field),
        absl::StrCat(Quoted(graph_->Key(*node)), " is removed by ", field_, "[",
                     removed->second, "]"));
  }

  absl::Status AddLink(int i, bool adds, const v1::LinkChange& asked) {
    const std::string part = adds ? "add_link" : "remove_link";
    const auto relation =
        ResolveRelation(*graph_, asked.relation(), options_.suggestions);
    if (!relation.ok()) {
      return absl::FailedPreconditionError(
          absl::StrCat(FieldOf(field_, i, part + ".relation"), ": ",
                       relation.status().message(),
                       " (for a new one, train a bundle that knows it)"));
    }
    SLICE_ASSIGN_OR_RETURN(const NodeId source,
                           EndOf(i, part + ".source", asked.source()));
    SLICE_ASSIGN_OR_RETURN(const NodeId target,
                           EndOf(i, part + ".target", asked.target()));
    const Link link = {source, *relation, target};
    if (const auto [other, added] = links_.emplace(link, i); !added) {
      return InvalidField(FieldOf(field_, i, part),
                          AlsoChangedBy(other->second));
    }
    const std::optional<float> now = graph_->WeightOf(link);
    const float weight = asked.weight() == 0 ? now.value_or(1) : asked.weight();
    if (adds ? now == weight : !now.has_value()) {
      without_effect_.push_back(static_cast<uint32_t>(i));
    } else if (adds) {
      rest_.added_links.push_back({link, weight});
    } else {
      rest_.removed_links.push_back(link);
    }
    return absl::OkStatus();
  }

  const GraphSnapshot& base_;
  const NamedChanges& changes_;
  const std::string& field_;
  const NamedChangesOptions options_;
  std::shared_ptr<const GraphSnapshot> with_nodes_;
  const GraphSnapshot* graph_ = &base_;
  // By what each change is about, its position.
  std::map<std::string_view, int> set_keys_;
  std::map<NodeId, int> removed_;
  std::map<Link, int> links_;
  std::unordered_map<std::string_view, NodeTypeId> added_types_;
  GraphChanges nodes_;  // added and set nodes, and their types
  GraphChanges rest_;   // all others
  std::vector<uint32_t> without_effect_;
};

}  // namespace

absl::Status ValidateNamedChanges(const NamedChanges& changes,
                                  const std::string& field) {
  for (int i = 0; i < changes.size(); ++i) {
    const v1::GraphChange& change = changes[i];
    switch (change.change_case()) {
      case v1::GraphChange::kAddLink:
        SLICE_RETURN_IF_ERROR(
            ValidateLink(FieldOf(field, i, "add_link"), change.add_link()));
        break;
      case v1::GraphChange::kRemoveLink:
        SLICE_RETURN_IF_ERROR(ValidateLink(FieldOf(field, i, "remove_link"),
                                           change.remove_link()));
        break;
      case v1::GraphChange::kUpsertNode:
        SLICE_RETURN_IF_ERROR(ValidateUpsert(FieldOf(field, i, "upsert_node"),
                                             change.upsert_node()));
        break;
      case v1::GraphChange::kRemoveNode:
        SLICE_RETURN_IF_ERROR(ValidateNode(FieldOf(field, i, "remove_node"),
                                           true, change.remove_node()));
        break;
      case v1::GraphChange::CHANGE_NOT_SET:
        return InvalidField(absl::StrCat(field, "[", i, "]"),
                            "says no change: set one of add_link, remove_link, "
                            "upsert_node, remove_node");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ChangedGraph> ApplyNamedChanges(
    const GraphSnapshot& graph, const NamedChanges& changes,
    const std::string& field, const NamedChangesOptions& options) {
  ChangeResolver resolver(graph, changes, field, options);
  SLICE_RETURN_IF_ERROR(resolver.ApplyNodes());
  SLICE_RETURN_IF_ERROR(resolver.ResolveRemovedNodes());
  SLICE_RETURN_IF_ERROR(resolver.ResolveLinks());
  size_t copied_arcs = 0;
  if (options.most_arcs.has_value()) {
    const std::set<NodeId> nodes = resolver.ChangedNodes();
    if (const size_t arcs = resolver.ArcsOf(nodes); arcs > *options.most_arcs) {
      return InvalidField(
          field,
          absl::StrCat("the nodes that change have ", arcs, " links, at most ",
                       *options.most_arcs, " are allowed"));
    }
    copied_arcs = resolver.ArcsOf(resolver.CopiedNodes(nodes));
  }
  SLICE_ASSIGN_OR_RETURN(ChangedGraph changed, resolver.Apply());
  changed.copied_arcs = copied_arcs;
  return changed;
}

}  // namespace slice
