// Hands an ApplyUpdates request to the graph that it changes.
#ifndef SLICE_SERVER_RPC_UPDATE_REQUEST_H_
#define SLICE_SERVER_RPC_UPDATE_REQUEST_H_

#include <grpcpp/support/byte_buffer.h>

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/graph/live_graph.h"
#include "server/rpc/service_core.h"
#include "slice/v1/graph_update.pb.h"

namespace slice {

// The model that a request names, with a graph that can change. The errors of
// ServiceCore::FindModel; FAILED_PRECONDITION for a model without such a graph.
absl::StatusOr<std::shared_ptr<const ServedModel>> FindLiveModel(
    const ServiceCore& core, const CallOrigin& origin, const std::string& name);

// FAILED_PRECONDITION, with the flag, when the server takes no changes.
absl::Status CheckAcceptsUpdates(const ServiceCore& core);

// Parses, checks and queues a request. `done` is called once, with the outcome,
// if this returns OK. The errors of the functions above, of ParseRequest,
// ValidateUpdate and ServedGraph::Submit. `model` is set to the model whose
// graph changes. Keep it until `done` is called, and do not release it in
// `done`: that runs on the thread of the graph, which ends with the last model.
using UpdateDone = std::function<void(const absl::StatusOr<UpdateOutcome>&)>;
absl::Status SubmitUpdate(const ServiceCore& core, const CallOrigin& origin,
                          const grpc::ByteBuffer& bytes,
                          std::shared_ptr<const ServedModel>* model,
                          UpdateDone done);

// The reply to an update that was applied.
absl::Status WriteUpdateReply(const UpdateOutcome& outcome,
                              grpc::ByteBuffer* bytes);

}  // namespace slice

#endif  // SLICE_SERVER_RPC_UPDATE_REQUEST_H_
