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
#include "server/pipeline/link_job.h"
#include "server/pipeline/link_pipeline.h"
#include "server/rpc/rpc_record.h"
#include "server/rpc/service_core.h"
#include "server/transport/unread_timer.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {

// When the pipeline refuses a request, every link of the request is answered
// with the status of the refusal. A malformed request ends the stream. So does
// a client that goes on asking although its quota is used up: it has had time
// to read a refusal when more than kMaxStreamRequests in a row were refused.
class StreamPredictLinksCall final
    : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer> {
 public:
  // `core` and `pipeline` must outlive the call. `deadline` is that of the
  // whole stream. The call invokes `on_done` when gRPC is done with it, and
  // must live until then.
  StreamPredictLinksCall(grpc::CallbackServerContext* context,
                         const ServiceCore* core, LinkPipeline* pipeline,
                         const RpcRecord& record, absl::Time deadline,
                         std::function<void(StreamPredictLinksCall*)> on_done);
  ~StreamPredictLinksCall() override;

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override { on_done_(this); }

  // Reads no further, answers the requests that were read and ends the stream
  // with UNAVAILABLE. Thread-safe.
  void Drain();

 private:
  // A request on its way through the pipeline, with its answer.
  class Exchange;

  // The next steps: chosen under the lock, done without it.
  struct Actions {
    bool read = false;
    const grpc::ByteBuffer* write = nullptr;
    std::optional<absl::Status> finish;
  };

  // Gives a request to the pipeline. An error ends the stream.
  absl::Status Take(const grpc::ByteBuffer& bytes);
  // Counts refusals for a quota.
  bool EndsStream(const absl::Status& refusal);
  void Answered(Exchange* exchange);
  Actions NextActions() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Sees to it that a client that reads nothing does not keep its answers here.
  void WatchReader() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Calls `change` under the lock and does the actions that follow from it. The
  // call may be destroyed before this returns.
  template <typename Change>
  void Update(Change change);

  grpc::CallbackServerContext* const context_;
  const ServiceCore* const core_;
  LinkPipeline* const pipeline_;
  const RpcRecord record_;
  const absl::Time deadline_;
  const std::function<void(StreamPredictLinksCall*)> on_done_;

  grpc::ByteBuffer incoming_;  // filled by the read under way
  // Requests in a row that were refused for a quota. Used by one read at a
  // time.
  size_t quota_refusals_ = 0;

  Mutex mutex_;
  std::deque<std::unique_ptr<Exchange>> exchanges_ ABSL_GUARDED_BY(mutex_);
  bool reading_ ABSL_GUARDED_BY(mutex_) = false;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool broken_ ABSL_GUARDED_BY(mutex_) = false;  // the client is gone
  bool draining_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  // The status that the stream will end with. Once it is set, nothing more is
  // read.
  std::optional<absl::Status> ending_ ABSL_GUARDED_BY(mutex_);
  UnreadTimer unread_timer_ ABSL_GUARDED_BY(mutex_);  // of the write under way
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_STREAM_PREDICT_LINKS_CALL_H_
