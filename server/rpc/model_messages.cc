#include "server/rpc/model_messages.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/status_macros.h"
#include "server/grpc_status.h"
#include "server/models/model_config.h"

namespace slice {
namespace {

void FillVersion(const ServedModel& model, v1::ModelVersion* out) {
  out->set_bundle_id(model.manifest.bundle_id);
  out->set_directory(model.directory.string());
  out->set_loaded_timestamp_seconds(
      absl::ToDoubleSeconds(model.loaded - absl::UnixEpoch()));
  out->set_preset(model.manifest.preset);
  const auto graph = model.Graph();
  out->set_node_count(graph->present_node_count());
  out->set_link_count(graph->link_count());
  out->set_scored_links(model.scored.load());
  out->set_failed_links(model.failed.load());
}

void FillTrial(const Trial& trial, v1::Trial* out) {
  out->set_kind(trial.kind == TrialKind::kCanary ? v1::Trial::KIND_CANARY
                                                 : v1::Trial::KIND_SHADOW);
  out->set_by(trial.by == TrialBy::kIdentity ? v1::Trial::BY_IDENTITY
                                             : v1::Trial::BY_LINK);
  out->set_share(trial.share);
}

absl::StatusOr<Trial> TrialOf(const v1::Trial& asked) {
  Trial trial;
  switch (asked.kind()) {
    case v1::Trial::KIND_CANARY:
      trial.kind = TrialKind::kCanary;
      break;
    case v1::Trial::KIND_SHADOW:
      trial.kind = TrialKind::kShadow;
      break;
    default:
      return InvalidField("trial.kind", "must be CANARY or SHADOW");
  }
  trial.by =
      asked.by() == v1::Trial::BY_LINK ? TrialBy::kLink : TrialBy::kIdentity;
  trial.share = asked.share();
  if (!(trial.share > 0 && trial.share <= 1)) {
    return InvalidField("trial.share",
                        absl::StrCat(trial.share, " is not in (0, 1]"));
  }
  return trial;
}

}  // namespace

void FillModel(const std::string& name, const ModelSet& set,
               const ModelDeployment& deployment, v1::ModelState* out) {
  const auto found = set.models.find(name);
  if (found == set.models.end()) return;
  const ModelVersions& versions = found->second;
  out->set_name(name);
  out->set_is_default(name == set.default_name);
  FillVersion(*versions.serving, out->mutable_serving());
  if (versions.candidate.has_value()) {
    FillVersion(*versions.candidate->model, out->mutable_candidate());
    FillTrial(versions.candidate->trial, out->mutable_trial());
  }
  out->set_previous_bundle_id(versions.previous_bundle_id);
  out->set_previous_directory(versions.previous_directory.string());
  const auto counts = deployment.load_counts();
  const auto loads = counts.find(name);
  if (loads == counts.end()) return;
  out->set_loads(loads->second.loaded);
  out->set_failed_loads(loads->second.failed);
  out->set_last_load_seconds(absl::ToDoubleSeconds(loads->second.last));
}

void FillModels(const ModelSet& set, const ModelDeployment& deployment,
                v1::ListModelsResponse* out) {
  for (const auto& [name, versions] : set.models) {
    FillModel(name, set, deployment, out->add_models());
  }
}

absl::StatusOr<ModelSource> SourceOf(const v1::LoadModelRequest& request) {
  const absl::Status name = CheckModelName(request.name());
  if (!name.ok()) return InvalidField("name", std::string(name.message()));
  if (!std::filesystem::path(request.bundle()).is_absolute()) {
    return InvalidField("bundle",
                        "must be an absolute path on the server's machine");
  }
  ModelSource source = {.name = request.name(), .bundle = request.bundle()};
  if (request.has_trial()) {
    SLICE_ASSIGN_OR_RETURN(const Trial trial, TrialOf(request.trial()));
    source.candidate = CandidateSource{request.bundle(), trial};
  }
  return source;
}

}  // namespace slice
