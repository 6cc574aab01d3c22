#include "graphstore/merged_changes.h"

#include <algorithm>
#include <utility>

namespace slice {

size_t CountOf(const GraphChanges& changes) {
  return changes.added_nodes.size() + changes.set_nodes.size() +
         changes.removed_nodes.size() + changes.added_links.size() +
         changes.removed_links.size();
}

bool MergedChanges::Admits(const GraphChanges& changes) const {
  const auto is_removed = [&](NodeId node) { return removed_.contains(node); };
  const auto touches_removed = [&](const Link& link) {
    return is_removed(link.source) || is_removed(link.target);
  };
  for (const NodeId node : changes.removed_nodes) {
    if (node >= node_count_ || set_.contains(node) || linked_.contains(node)) {
      return false;
    }
  }
  return removed_.empty() ||
         (std::none_of(
              changes.set_nodes.begin(), changes.set_nodes.end(),
              [&](const NodeChange& set) { return is_removed(set.node); }) &&
          std::none_of(changes.added_links.begin(), changes.added_links.end(),
                       [&](const WeightedLink& added) {
                         return touches_removed(added.link);
                       }) &&
          std::none_of(changes.removed_links.begin(),
                       changes.removed_links.end(), touches_removed));
}

void MergedChanges::Add(const GraphChanges& changes) {
  changes_.added_types.insert(changes_.added_types.end(),
                              changes.added_types.begin(),
                              changes.added_types.end());
  changes_.added_nodes.insert(changes_.added_nodes.end(),
                              changes.added_nodes.begin(),
                              changes.added_nodes.end());
  for (const NodeChange& set : changes.set_nodes) SetNode(set);
  for (const NodeId node : changes.removed_nodes) {
    if (removed_.insert(node).second) changes_.removed_nodes.push_back(node);
  }
  const auto link_to = [&](const Link& link, std::optional<float> weight) {
    links_[{link.source, link.relation, link.target}] = weight;
    linked_.insert(link.source);
    linked_.insert(link.target);
  };
  for (const Link& link : changes.removed_links) link_to(link, std::nullopt);
  for (const auto& [link, weight] : changes.added_links) link_to(link, weight);
}

void MergedChanges::SetNode(const NodeChange& set) {
  if (set.node >= node_count_) {
    changes_.added_nodes[set.node - node_count_] = set.record;
    return;
  }
  const auto [place, first] = set_.emplace(set.node, changes_.set_nodes.size());
  if (first) {
    changes_.set_nodes.push_back(set);
  } else {
    changes_.set_nodes[place->second] = set;
  }
}

size_t MergedChanges::size() const {
  return changes_.added_types.size() + changes_.added_nodes.size() +
         changes_.set_nodes.size() + changes_.removed_nodes.size() +
         links_.size();
}

GraphChanges MergedChanges::Take() {
  GraphChanges taken = std::exchange(changes_, {});
  for (const auto& [key, weight] : links_) {
    const Link link = {std::get<0>(key), std::get<1>(key), std::get<2>(key)};
    if (weight.has_value()) {
      taken.added_links.push_back({link, *weight});
    } else {
      taken.removed_links.push_back(link);
    }
  }
  std::sort(taken.added_links.begin(), taken.added_links.end(),
            [](const WeightedLink& a, const WeightedLink& b) {
              return a.link < b.link;
            });
  std::sort(taken.removed_links.begin(), taken.removed_links.end());
  node_count_ += taken.added_nodes.size();
  set_.clear();
  removed_.clear();
  linked_.clear();
  links_.clear();
  return taken;
}

}  // namespace slice
