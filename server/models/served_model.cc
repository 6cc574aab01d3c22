#include "server/models/served_model.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace slice {

absl::Status ServedModel::WhenGraphHas(AwaitedVersions::Wait wait) const {
  if (graph != nullptr) return graph->live->WhenVisible(std::move(wait));
  return absl::FailedPreconditionError(
      "min_graph_version: the graph of this server does not change");
}

absl::Status ServedModel::CheckScorer(std::string_view name) const {
  if (name.empty() || name == ScorerName(manifest.reading.scorer) ||
      !manifest.pair_features.empty()) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("the bundle, preset ", manifest.preset, ", has no scorer '",
                   std::string(name), "'; it answers by ",
                   std::string(ScorerName(manifest.reading.scorer))));
}

std::string VersionName(const ServedModel& model) {
  return absl::StrCat(model.name, "@", model.manifest.bundle_id);
}

}  // namespace slice
