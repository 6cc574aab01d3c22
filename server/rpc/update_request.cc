#include "server/rpc/update_request.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/table/text_fields.h"
#include "server/grpc_status.h"
#include "server/limits.h"
#include "server/rpc/wire_messages.h"

namespace slice {
namespace {

constexpr char kField[] = "changes";

absl::Status RequireKey(int index, const std::string& part,
                        const v1::NodeRef& node) {
  if (node.has_key()) return absl::OkStatus();
  return InvalidField(absl::StrCat(kField, "[", index, "].", part),
                      "must name the node by its key");
}

// The log keeps the changes, and names may become ambiguous later.
absl::Status RequireKeys(const NamedChanges& changes) {
  for (int i = 0; i < changes.size(); ++i) {
    const v1::GraphChange& change = changes[i];
    if (change.has_remove_node()) {
      SLICE_RETURN_IF_ERROR(RequireKey(i, "remove_node", change.remove_node()));
    }
    if (!change.has_add_link() && !change.has_remove_link()) continue;
    const std::string part = change.has_add_link() ? "add_link" : "remove_link";
    const v1::LinkChange& link =
        change.has_add_link() ? change.add_link() : change.remove_link();
    SLICE_RETURN_IF_ERROR(RequireKey(i, part + ".source", link.source()));
    SLICE_RETURN_IF_ERROR(RequireKey(i, part + ".target", link.target()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateRequest(const v1::ApplyUpdatesRequest& request) {
  if (request.changes().empty()) {
    return InvalidField(kField, "must hold at least one change");
  }
  if (request.changes_size() > kMaxUpdateChanges) {
    return InvalidField(
        kField,
        absl::StrCat("holds ", request.changes_size(), " changes, at most ",
                     kMaxUpdateChanges, " are allowed"));
  }
  if (const size_t bytes = request.ByteSizeLong(); bytes > kMaxReceiveBytes) {
    return InvalidField(
        kField, absl::StrCat("the request has ", bytes, " bytes, at most ",
                             kMaxReceiveBytes, " are allowed"));
  }
  SLICE_RETURN_IF_ERROR(ValidateNamedChanges(request.changes(), kField));
  SLICE_RETURN_IF_ERROR(RequireKeys(request.changes()));
  if (request.writer().empty() == (request.sequence() != 0)) {
    return InvalidField("sequence",
                        "is above 0 where there is a writer, and 0 elsewhere");
  }
  if (request.writer().empty()) return absl::OkStatus();
  const auto error = CheckIdentifier({request.writer()}, "it");
  return error ? InvalidField("writer", error->reason) : absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const ServedModel>> FindLiveModel(
    const ServiceCore& core, const CallOrigin& origin,
    const std::string& name) {
  SLICE_ASSIGN_OR_RETURN(auto model, core.FindModel(origin, name));
  if (model->graph != nullptr && core.accepts_updates) return model;
  return absl::FailedPreconditionError(
      "this server takes no changes of its graph; start it with "
      "--accept-updates");
}

absl::Status SubmitUpdate(const ServiceCore& core, const CallOrigin& origin,
                          const grpc::ByteBuffer& bytes,
                          std::shared_ptr<const ServedModel>* model,
                          UpdateDone done) {
  v1::ApplyUpdatesRequest request;
  SLICE_RETURN_IF_ERROR(ParseMessage(bytes, &request));
  SLICE_RETURN_IF_ERROR(ValidateRequest(request));
  SLICE_ASSIGN_OR_RETURN(*model, FindLiveModel(core, origin, request.model()));
  GraphUpdate update;
  update.changes = std::move(*request.mutable_changes());
  update.writer = request.writer();
  update.sequence = request.sequence();
  update.host = origin.client.host;
  update.done = std::move(done);
  return (*model)->graph->live->Submit(std::move(update));
}

absl::Status WriteUpdateReply(const UpdateOutcome& outcome,
                              grpc::ByteBuffer* bytes) {
  v1::ApplyUpdatesResponse reply;
  reply.set_graph_version(outcome.graph_version);
  reply.mutable_without_effect()->Assign(outcome.without_effect.begin(),
                                         outcome.without_effect.end());
  reply.set_repeated(outcome.repeated);
  return SerializeMessage(reply, bytes);
}

}  // namespace slice
