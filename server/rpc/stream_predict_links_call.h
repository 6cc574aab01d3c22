// The StreamPredictLinks RPC: many requests on one stream, answered in order.
#ifndef SLICE_SERVER_RPC_STREAM_PREDICT_LINKS_CALL_H_
#define SLICE_SERVER_RPC_STREAM_PREDICT_LINKS_CALL_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "common/mutex.h"
#include "proto/slice/v1/link_prediction.pb.h"
#include "server/pipeline/link_job.h"
#include "server/pipeline/link_pipeline.h"
#include "server/rpc/rpc_record.h"
#include "server/rpc/service_core.h"

namespace slice {

// Requests of one stream that are read and not answered: with so many of them
// it reads no further, so that a client that does not read its answers holds a
// bounded share of the server.
inline constexpr size_t kMaxStreamRequests = 16;

// What a stream is told at its start.
struct StreamOrigin {
  ClientId client;
  absl::Time stream_deadline;
  absl::Duration request_time;  // given to each request
};

// A request that cannot be taken gets its links answered with the reason; a
// malformed one ends the stream.
class StreamPredictLinksCall final
    : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  // `core` and `pipeline` must outlive the call.
  // `on_done` is told when gRPC is done with it; it must live until then.
  StreamPredictLinksCall(grpc::CallbackServerContext* context,
                         const ServiceCore* core, LinkPipeline* pipeline,
                         const RpcRecord& record, const StreamOrigin& origin,
                         std::function<void(StreamPredictLinksCall*)> on_done);
  ~StreamPredictLinksCall() override;

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override { on_done_(this); }

  // Reads no further; answers what was read and ends with UNAVAILABLE.
  // Thread-safe.
  void Drain();

 private:
  // A request of the stream on its way through the pipeline.
  class Exchange;

  // What to do next, found under the lock and done without it.
  struct Actions {
    bool read = false;
    const grpc::ByteBuffer* write = nullptr;
    std::optional<absl::Status> finish;
  };

  // Errors end the stream.
  absl::Status Take(const grpc::ByteBuffer& bytes);
  void Answered(Exchange* exchange);
  Actions NextActions() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Makes a change and does what follows from it. The last change but that of
  // gRPC's own calls may end the life of this.
  template <typename Change>
  void Update(Change change);

  grpc::CallbackServerContext* const context_;
  const ServiceCore* const core_;
  LinkPipeline* const pipeline_;
  const RpcRecord record_;
  const StreamOrigin origin_;
  const std::function<void(StreamPredictLinksCall*)> on_done_;

  grpc::ByteBuffer incoming_;  // of the read under way

  Mutex mutex_;
  std::deque<std::unique_ptr<Exchange>> exchanges_ ABSL_GUARDED_BY(mutex_);
  bool reading_ ABSL_GUARDED_BY(mutex_) = false;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool broken_ ABSL_GUARDED_BY(mutex_) = false;  // the client is gone
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  // Set once nothing more is read.
  std::optional<absl::Status> ending_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_STREAM_PREDICT_LINKS_CALL_H_
