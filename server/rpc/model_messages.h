// The messages of AdminService about models.
#ifndef SLICE_SERVER_RPC_MODEL_MESSAGES_H_
#define SLICE_SERVER_RPC_MODEL_MESSAGES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/models/model_deployment.h"
#include "server/models/model_registry.h"
#include "server/models/model_source.h"
#include "slice/v1/admin.pb.h"

namespace slice {

// What is served now: all models, or the one called `name`, which is left empty
// when there is none.
void FillModels(const ModelSet& set, const ModelDeployment& deployment,
                v1::ListModelsResponse* out);
void FillModel(const std::string& name, const ModelSet& set,
               const ModelDeployment& deployment, v1::ModelState* out);

// INVALID_ARGUMENT, with the field, for a wrong name, trial or bundle.
absl::StatusOr<ModelSource> SourceOf(const v1::LoadModelRequest& request);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_MODEL_MESSAGES_H_
