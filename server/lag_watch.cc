#include "server/lag_watch.h"

#include <algorithm>

#include "absl/time/time.h"

namespace slice {

LagWatch::LagWatch(const ModelRegistry* registry, const MaxLag& max_lag,
                   Readiness* readiness)
    : registry_(registry),
      max_lag_(max_lag),
      readiness_(readiness),
      task_(absl::Milliseconds(250), [this] { Look(); }) {
  Look();
}

void LagWatch::Look() const {
  const auto served = registry_->models();
  const bool in_bounds = std::all_of(
      served->models.begin(), served->models.end(), [this](const auto& model) {
        const auto& graph = model.second.serving->graph;
        return graph == nullptr || graph->replica == nullptr ||
               max_lag_.Allows(graph->replica->state().follower);
      });
  if (in_bounds) {
    readiness_->Remove(Obstacle::kBehindFeed);
  } else {
    readiness_->Add(Obstacle::kBehindFeed);
  }
}

}  // namespace slice
