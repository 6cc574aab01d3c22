#include "server/rpc/update_request.h"

#include <memory>
#include <string>
#include <utility>

#include "common/status_macros.h"
#include "server/graph/update_validation.h"
#include "server/rpc/request_bounds.h"
#include "server/rpc/wire_messages.h"

namespace slice {

absl::StatusOr<std::shared_ptr<const ServedModel>> FindLiveModel(
    const ServiceCore& core, const CallOrigin& origin,
    const std::string& name) {
  SLICE_ASSIGN_OR_RETURN(auto model, core.FindModel(origin, name));
  if (model->graph != nullptr) return model;
  return absl::FailedPreconditionError("this model has no graph of its own");
}

absl::Status CheckAcceptsUpdates(const ServiceCore& core) {
  if (core.accepts_updates) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "this server takes no changes of its graph; start it with "
      "--accept-updates");
}

absl::Status SubmitUpdate(const ServiceCore& core, const CallOrigin& origin,
                          const grpc::ByteBuffer& bytes,
                          std::shared_ptr<const ServedModel>* model,
                          UpdateDone done) {
  SLICE_RETURN_IF_ERROR(CheckAcceptsUpdates(core));
  v1::ApplyUpdatesRequest request;
  SLICE_RETURN_IF_ERROR(ParseRequest(bytes, &request));
  SLICE_RETURN_IF_ERROR(
      ValidateUpdate(request.changes(), request.writer(), request.sequence()));
  SLICE_ASSIGN_OR_RETURN(*model, FindLiveModel(core, origin, request.model()));
  GraphUpdate update;
  update.changes = std::move(*request.mutable_changes());
  update.writer = request.writer();
  update.sequence = request.sequence();
  update.host = origin.client.host;
  update.done = std::move(done);
  return (*model)->graph->Submit(std::move(update));
}

absl::Status WriteUpdateReply(const UpdateOutcome& outcome,
                              grpc::ByteBuffer* bytes) {
  v1::ApplyUpdatesResponse reply;
  reply.set_graph_version(outcome.graph_version);
  reply.mutable_without_effect()->Assign(outcome.without_effect.begin(),
                                         outcome.without_effect.end());
  reply.set_repeated(outcome.repeated);
  reply.mutable_added_types()->Assign(outcome.added_types.begin(),
                                      outcome.added_types.end());
  return SerializeMessage(reply, bytes);
}

}  // namespace slice
