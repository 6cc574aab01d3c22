#include "tests/testing/random_history.h"

#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"

namespace slice {

RandomHistory::RandomHistory(GraphData start, uint64_t seed)
    : random_(seed), catalogue_(std::move(start.catalogue)) {
  for (size_t i = 0; i < start.links.size(); ++i) {
    const float weight = start.weights.empty() ? 1 : start.weights[i];
    float& kept = links_.emplace(start.links[i], weight).first->second;
    kept = std::max(kept, weight);
  }
}

GraphData RandomHistory::Now() const {
  GraphData data{catalogue_, {}, {}};
  for (const auto& [link, weight] : links_) {
    data.links.push_back(link);
    data.weights.push_back(weight);
  }
  return data;
}

// Node 0 and 1 are hubs.
NodeId RandomHistory::AnyNode() {
  const auto nodes = static_cast<uint32_t>(catalogue_.nodes.size());
  return random_.Below(4) == 0 ? random_.Below(2) : random_.Below(nodes);
}

void RandomHistory::AddLink(GraphChanges& changes) {
  Link link = {AnyNode(),
               static_cast<RelationId>(random_.Below(
                   static_cast<uint32_t>(catalogue_.relations.size()))),
               AnyNode()};
  if (random_.Below(20) == 0) link.target = link.source;
  for (const NodeId end : {link.source, link.target}) {
    if (removed_.contains(end)) return;
  }
  if (!changed_.insert(link).second) return;
  const float weight =
      random_.Below(10) == 0 ? 0.5f + static_cast<float>(random_.Below(3)) : 1;
  changes.added_links.push_back({link, weight});
  links_[link] = weight;
}

void RandomHistory::RemoveLink(GraphChanges& changes) {
  Link link = {AnyNode(), 0, AnyNode()};  // which the graph may lack
  if (!links_.empty() && random_.Below(8) != 0) {
    auto at = links_.lower_bound(link);
    link = at == links_.end() ? links_.begin()->first : at->first;
  }
  if (!changed_.insert(link).second) return;
  changes.removed_links.push_back(link);
  links_.erase(link);
}

void RandomHistory::AddNode(GraphChanges& changes) {
  const auto node = static_cast<NodeId>(catalogue_.nodes.size());
  const auto types = static_cast<uint32_t>(catalogue_.node_types.size());
  if (random_.Below(20) == 0) {
    catalogue_.node_types.push_back(absl::StrCat("type", types));
    changes.added_types.push_back(catalogue_.node_types.back());
  }
  const NodeRecord record = {
      absl::StrCat("new", node), absl::StrCat("Name ", random_.Below(9)),
      static_cast<NodeTypeId>(
          random_.Below(static_cast<uint32_t>(catalogue_.node_types.size())))};
  catalogue_.nodes.push_back(record);
  changes.added_nodes.push_back(record);
  touched_.insert(node);
}

void RandomHistory::SetNode(GraphChanges& changes) {
  NodeId node = AnyNode();
  if (!removed_.empty() && random_.Below(2) == 0) node = *removed_.begin();
  if (!touched_.insert(node).second) return;
  NodeRecord& record = catalogue_.nodes[node];
  record.name = absl::StrCat("name ", random_.Below(9));
  changes.set_nodes.push_back({node, record});
  removed_.erase(node);
}

void RandomHistory::RemoveNode(GraphChanges& changes) {
  const NodeId node = AnyNode();
  for (const Link& link : changed_) {
    if (link.source == node || link.target == node) return;
  }
  if (removed_.contains(node) || !touched_.insert(node).second) return;
  changes.removed_nodes.push_back(node);
  removed_.insert(node);
  std::erase_if(links_, [node](const auto& entry) {
    return entry.first.source == node || entry.first.target == node;
  });
}

GraphChanges RandomHistory::Next(size_t size) {
  GraphChanges changes;
  touched_.clear();
  changed_.clear();
  for (size_t i = 0; i < size; ++i) {
    const uint32_t kind = random_.Below(20);
    if (kind < 10) {
      AddLink(changes);
    } else if (kind < 16) {
      RemoveLink(changes);
    } else if (kind < 17) {
      AddNode(changes);
    } else if (kind < 19) {
      SetNode(changes);
    } else {
      RemoveNode(changes);
    }
  }
  return changes;
}

}  // namespace slice
