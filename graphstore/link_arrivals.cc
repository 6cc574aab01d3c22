#include "graphstore/link_arrivals.h"

#include <algorithm>

#include "common/status_macros.h"

namespace slice {

absl::StatusOr<LinkArrivals> LinkArrivals::Of(const ChangeLog& log,
                                              const GraphSnapshot& base,
                                              uint64_t version) {
  LinkArrivals arrivals(base);
  SLICE_RETURN_IF_ERROR(
      log.Replay([&](uint64_t made, const GraphChanges& changes) {
        if (made <= version) arrivals.Add(made, changes);
        return absl::OkStatus();
      }));
  return arrivals;
}

void LinkArrivals::Add(uint64_t version, const GraphChanges& changes) {
  for (const Link& link : changes.removed_links) {
    events_[link] = {version, /*is_removal=*/true};
  }
  for (const NodeId node : changes.removed_nodes) {
    removed_nodes_[node] = version;
  }
  for (const WeightedLink& added : changes.added_links) {
    if (!Has(added.link)) events_[added.link] = {version, false};
  }
}

uint64_t LinkArrivals::VersionOf(const Link& link) const {
  const auto event = events_.find(link);
  return event == events_.end() ? base_.graph_version() : event->second.version;
}

// Whether the graph has the link before the changes of this version add links.
bool LinkArrivals::Has(const Link& link) const {
  const auto event = events_.find(link);
  if (event != events_.end()) {
    return !event->second.is_removal && event->second.version > RemovedAt(link);
  }
  // A node that came later is unknown to the base.
  const bool in_base =
      std::max(link.source, link.target) < base_.node_count() &&
      base_.HasLink(link);
  return in_base && RemovedAt(link) == 0;
}

// When an end of the link was last removed; 0: never.
uint64_t LinkArrivals::RemovedAt(const Link& link) const {
  uint64_t version = 0;
  for (const NodeId node : {link.source, link.target}) {
    const auto removed = removed_nodes_.find(node);
    if (removed != removed_nodes_.end()) {
      version = std::max(version, removed->second);
    }
  }
  return version;
}

}  // namespace slice
