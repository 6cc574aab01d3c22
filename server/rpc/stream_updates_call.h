// The StreamUpdates RPC: updates on one stream, applied one after the other.
#ifndef SLICE_SERVER_RPC_STREAM_UPDATES_CALL_H_
#define SLICE_SERVER_RPC_STREAM_UPDATES_CALL_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "common/mutex.h"
#include "server/graph/live_graph.h"
#include "server/models/served_model.h"
#include "server/rpc/rpc_record.h"
#include "server/rpc/service_core.h"

namespace slice {

// Reads a request, waits until it is applied, writes the reply, and reads the
// next one. So a client may send ahead, but only one of its requests is in the
// server. The first error ends the stream.
class StreamUpdatesCall final
    : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  // `core` must outlive the call. `on_done` is called when gRPC is done with
  // it.
  StreamUpdatesCall(const ServiceCore* core,
                    grpc::CallbackServerContext* context,
                    std::function<void(StreamUpdatesCall*)> on_done);

  void Start() { StartRead(&incoming_); }
  // Ends the stream with UNAVAILABLE once the request that it works on is
  // answered.
  void Drain();

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone() override { on_done_(this); }

 private:
  void Applied(const absl::StatusOr<UpdateOutcome>& outcome);
  // Finishes the stream, unless it is finished.
  void End(const absl::Status& status);

  const ServiceCore* const core_;
  grpc::CallbackServerContext* const context_;
  const RpcRecord record_;
  const std::function<void(StreamUpdatesCall*)> on_done_;
  grpc::ByteBuffer incoming_, outgoing_;
  std::shared_ptr<const ServedModel> model_;  // of the last request

  Mutex mutex_;
  bool working_ ABSL_GUARDED_BY(mutex_) = false;  // on a request
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_STREAM_UPDATES_CALL_H_
