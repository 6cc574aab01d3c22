// A unary RPC other than PredictLinks that exchanges bytes with gRPC
// (server/rpc/wire_messages.h). It is answered at once or by the look-up queue.
#ifndef SLICE_SERVER_RPC_UNARY_CALL_H_
#define SLICE_SERVER_RPC_UNARY_CALL_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <functional>

#include "absl/status/status.h"
#include "server/rpc/request_bounds.h"
#include "server/rpc/rpc_record.h"
#include "server/rpc/service_core.h"
#include "server/rpc/wire_messages.h"
#include "server/transport/unread_answer.h"

namespace slice {

// The arguments that gRPC passes to such a method.
struct UnaryWire {
  grpc::CallbackServerContext* context = nullptr;
  const grpc::ByteBuffer* request = nullptr;
  grpc::ByteBuffer* response = nullptr;
};

// Deletes itself when gRPC is done with it, which is after its one Finish.
class UnaryCall final : public grpc::ServerUnaryReactor {
 public:
  // Fills the response of a request.
  using Answer = std::function<absl::Status(const CallOrigin& origin,
                                            const grpc::ByteBuffer& request,
                                            grpc::ByteBuffer* response)>;

  // Answers on this thread. The call is charged as a search; it ends with
  // RESOURCE_EXHAUSTED and a RetryInfo when the quota for searches is used up
  // or the client does not read its answers.
  static UnaryCall* Run(const ServiceCore& core, RpcMethod method,
                        const UnaryWire& wire, Answer answer);
  // Answers on a thread of the look-up queue, unless by then the caller is gone
  // or its deadline has passed. The call ends with RESOURCE_EXHAUSTED also when
  // the queue is full.
  static UnaryCall* Post(const ServiceCore& core, RpcMethod method,
                         const UnaryWire& wire, Answer answer);

  void OnCancel() override { cancelled_.store(true); }
  void OnDone() override { delete this; }

 private:
  UnaryCall(const ServiceCore& core, RpcMethod method, const UnaryWire& wire,
            Answer answer);
  ~UnaryCall() override = default;
  // OnCancel and OnDone are short, so gRPC need not wake another thread for
  // them.
  bool InternalInlineable() override { return true; }

  // Whether the call may be answered at all.
  absl::Status Admit() const;
  absl::Status Post();
  void Answered();
  void End(const absl::Status& status);

  const ServiceCore& core_;
  const UnaryWire wire_;
  const RpcRecord record_;
  const CallOrigin origin_;
  const absl::Time deadline_;
  const Answer answer_;
  std::atomic<bool> cancelled_{false};
  UnreadAnswer unread_;
};

// Finishes a call at once, with the response that the method has filled in, or
// with an error. `model`, which may be null, is the one that was asked.
grpc::ServerUnaryReactor* FinishUnary(grpc::CallbackServerContext* context,
                                      const RpcRecord& record,
                                      const absl::Status& status,
                                      const ServedModel* model = nullptr);

// The Answer that parses the request, calls fill(origin, request, &response)
// and serialises the response. The errors of ParseRequest.
template <typename Request, typename Response, typename Fill>
UnaryCall::Answer InMessages(Fill fill) {
  return [fill = std::move(fill)](const CallOrigin& origin,
                                  const grpc::ByteBuffer& request_bytes,
                                  grpc::ByteBuffer* response_bytes) {
    Request request;
    Response response;
    absl::Status status = ParseRequest(request_bytes, &request);
    if (status.ok()) status = fill(origin, request, &response);
    return status.ok() ? SerializeMessage(response, response_bytes) : status;
  };
}

}  // namespace slice

#endif  // SLICE_SERVER_RPC_UNARY_CALL_H_
