#include "server/pipeline/served_model.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace slice {
namespace {

// Types with a count above zero, the most frequent first.
std::vector<NodeTypeId> RankTypes(const std::vector<uint64_t>& counts) {
  std::vector<NodeTypeId> types;
  for (size_t type = 0; type < counts.size(); ++type) {
    if (counts[type] > 0) types.push_back(static_cast<NodeTypeId>(type));
  }
  std::stable_sort(
      types.begin(), types.end(),
      [&counts](NodeTypeId a, NodeTypeId b) { return counts[a] > counts[b]; });
  return types;
}

}  // namespace

std::vector<RelationSummary> SummarizeRelations(const GraphSnapshot& snapshot) {
  const std::vector<uint64_t> none(snapshot.node_type_count(), 0);
  std::vector<std::vector<uint64_t>> sources(snapshot.relation_count(), none);
  std::vector<std::vector<uint64_t>> targets(snapshot.relation_count(), none);
  std::vector<RelationSummary> summaries(snapshot.relation_count());
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    const ArcSpan arcs = snapshot.Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i) {
      const RelationId relation = arcs.relations[i];
      ++summaries[relation].links;
      ++sources[relation][snapshot.Type(node)];
      ++targets[relation][snapshot.Type(arcs.neighbors[i])];
    }
  }
  for (size_t relation = 0; relation < summaries.size(); ++relation) {
    summaries[relation].source_types = RankTypes(sources[relation]);
    summaries[relation].target_types = RankTypes(targets[relation]);
  }
  return summaries;
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

void ModelRegistry::Set(std::shared_ptr<const ServedModel> model) {
  const std::string name = model->name;
  MutexLock lock(&mutex_);
  // The previous model leaves through `model` and dies outside the lock.
  std::swap(models_[name], model);
}

void ModelRegistry::Close() {
  MutexLock lock(&mutex_);
  closed_ = true;
}

absl::StatusOr<std::shared_ptr<const ServedModel>> ModelRegistry::Find(
    std::string_view name) const {
  MutexLock lock(&mutex_);
  if (closed_) return absl::UnavailableError("the server is stopping");
  if (models_.empty()) {
    return absl::UnavailableError("the server is still loading its model");
  }
  const auto found = models_.find(name.empty() ? default_name_ : name);
  if (found != models_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, model] : models_) names.push_back(known);
  return absl::NotFoundError(
      absl::StrCat("model '", std::string(name),
                   "' is not served; there are: ", absl::StrJoin(names, ", ")));
}

}  // namespace slice
