#include "graphstore/graph_changes.h"

#include <cmath>
#include <set>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"
#include "common/status_macros.h"
#include "graphstore/graph_limits.h"

namespace slice {
namespace {

template <typename... Parts>
absl::Status Refused(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

// One check of changes.
class ChangesCheck {
 public:
  ChangesCheck(const ChangeableGraph& graph, const GraphChanges& changes)
      : graph_(graph),
        changes_(changes),
        types_(graph.type_count + changes.added_types.size()),
        nodes_(graph.node_count + changes.added_nodes.size()) {}

  absl::Status Run() {
    if (nodes_ >= kNoNode)
      return Refused("a graph holds at most ", kNoNode, " nodes");
    if (types_ > kMostNodeTypes) {
      return Refused("a graph holds at most ", kMostNodeTypes,
                     " node types, not ", types_);
    }
    SLICE_RETURN_IF_ERROR(CheckNodes());
    for (const WeightedLink& added : changes_.added_links)
      SLICE_RETURN_IF_ERROR(CheckAdded(added));
    for (const Link& link : changes_.removed_links) {
      SLICE_RETURN_IF_ERROR(CheckEnds(link));
      if (added_.contains(link))
        return Refused(Text(link), " is added and removed");
    }
    return absl::OkStatus();
  }

 private:
  static std::string Text(const Link& link) {
    return absl::StrCat("link (", link.source, ", ", link.relation, ", ",
                        link.target, ")");
  }

  const std::string& KeyOf(NodeId node) const {
    const auto [block, row] = graph_.nodes->Find(node);
    return block->nodes[row].key;
  }

  bool IsRemoved(NodeId node) const {
    const auto [block, row] = graph_.nodes->Find(node);
    return block->IsRemoved(row);
  }

  absl::Status CheckRecord(const NodeRecord& record) {
    if (record.type >= types_) {
      return Refused("node ", Quoted(record.key), " has type ", record.type,
                     ", which is not among the ", types_, " types");
    }
    if (!keys_.insert(record.key).second)
      return Refused("two nodes have the key ", Quoted(record.key));
    return absl::OkStatus();
  }

  absl::Status CheckNodes() {
    for (const NodeRecord& record : changes_.added_nodes) {
      SLICE_RETURN_IF_ERROR(CheckRecord(record));
      if (graph_.names->FindKey(record.key).has_value())
        return Refused("the key ", Quoted(record.key), " is taken");
    }
    for (const auto& [node, record] : changes_.set_nodes) {
      SLICE_RETURN_IF_ERROR(CheckNode(node));
      if (KeyOf(node) != record.key) {
        return Refused("node ", Quoted(KeyOf(node)),
                       " cannot have another key, ", Quoted(record.key));
      }
      SLICE_RETURN_IF_ERROR(CheckRecord(record));
      set_.insert(node);
    }
    for (const NodeId node : changes_.removed_nodes) {
      SLICE_RETURN_IF_ERROR(CheckNode(node));
      if (set_.contains(node))
        return Refused("node ", Quoted(KeyOf(node)), " is set and removed");
      removed_.insert(node);
    }
    return absl::OkStatus();
  }

  absl::Status CheckNode(NodeId node) const {
    if (node < graph_.node_count) return absl::OkStatus();
    return Refused("node ", node, " is not among the ", graph_.node_count,
                   " nodes");
  }

  // An end of an added link must be there afterwards.
  absl::Status CheckEnds(const Link& link) const {
    if (link.source >= nodes_ || link.target >= nodes_) {
      return Refused(Text(link), " names a node that is not among the ", nodes_,
                     " nodes");
    }
    if (link.relation >= graph_.relation_count) {
      return Refused(Text(link), " names a relation that is not among the ",
                     graph_.relation_count, " relations");
    }
    return absl::OkStatus();
  }

  bool IsThere(NodeId node) const {
    if (node >= graph_.node_count || set_.contains(node)) return true;
    return !removed_.contains(node) && !IsRemoved(node);
  }

  absl::Status CheckAdded(const WeightedLink& added) {
    const Link& link = added.link;
    SLICE_RETURN_IF_ERROR(CheckEnds(link));
    for (const NodeId end : {link.source, link.target}) {
      if (!IsThere(end))
        return Refused(Text(link), " has an end that is removed");
    }
    if (!std::isfinite(added.weight) || added.weight <= 0) {
      return Refused(Text(link), " has the weight ", added.weight,
                     "; it must be finite and above 0");
    }
    if (!added_.insert(link).second)
      return Refused(Text(link), " is added twice");
    return absl::OkStatus();
  }

  const ChangeableGraph& graph_;
  const GraphChanges& changes_;
  const size_t types_, nodes_;  // numbers of them afterwards
  std::set<std::string_view> keys_;
  std::set<NodeId> set_, removed_;
  std::set<Link> added_;
};

}  // namespace

absl::Status CheckChanges(const ChangeableGraph& graph,
                          const GraphChanges& changes) {
  return ChangesCheck(graph, changes).Run();
}

}  // namespace slice
