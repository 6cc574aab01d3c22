// The RecommendLinks RPC: ranked on a worker, streamed at the caller's pace.
#ifndef SLICE_SERVER_RECOMMEND_LINKS_CALL_H_
#define SLICE_SERVER_RECOMMEND_LINKS_CALL_H_

#include <grpcpp/alarm.h>
#include <grpcpp/support/server_callback.h>

#include <atomic>
#include <deque>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "common/mutex.h"
#include "proto/slice/v1/link_prediction.pb.h"
#include "server/rpc_record.h"
#include "server/service_core.h"

namespace slice {

// At most k replies wait for the caller, until its deadline and no longer than
// the server's. Deletes itself when gRPC is done with it.
class RecommendLinksCall final
    : public grpc::ServerWriteReactor<v1::RecommendLinksResponse> {
 public:
  // Never blocks. Ends at once with the errors of ValidateRequest and
  // ModelRegistry::Find, and with RESOURCE_EXHAUSTED and a RetryInfo when too
  // many recommendations wait for a worker.
  static RecommendLinksCall* Start(const ServiceCore& core,
                                   grpc::CallbackServerContext* context,
                                   const v1::RecommendLinksRequest* request,
                                   const RpcRecord& record,
                                   absl::Time deadline);

  void OnCancel() override { cancelled_.store(true); }
  void OnWriteDone(bool ok) override;
  void OnDone() override;

 private:
  RecommendLinksCall(const ServiceCore& core,
                     grpc::CallbackServerContext* context,
                     const v1::RecommendLinksRequest* request,
                     const RpcRecord& record, absl::Time deadline);
  ~RecommendLinksCall() override = default;

  absl::Status Admit();
  void Run();
  absl::Status Recommend();
  void Send(v1::RecommendLinksResponse reply);
  void End(absl::Status status);
  // Starts the next write or finishes, unless a write is under way.
  void Proceed();
  // Ends the call at its deadline should nobody read the replies.
  void WatchReader();
  void StopWaiting();
  void Release();

  // Constant after construction and admission.
  const ServiceCore& core_;
  grpc::CallbackServerContext* const context_;
  const v1::RecommendLinksRequest* const request_;
  const RpcRecord record_;
  const absl::Time deadline_;
  std::shared_ptr<const ServedModel> model_;

  std::atomic<bool> cancelled_{false};
  std::atomic<int> users_{1};  // gRPC, and the alarm once it is set
  grpc::Alarm reader_alarm_;

  Mutex mutex_;
  // The first is the one being written while writing_.
  std::deque<v1::RecommendLinksResponse> replies_ ABSL_GUARDED_BY(mutex_);
  std::optional<absl::Status> end_ ABSL_GUARDED_BY(mutex_);
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  bool done_ ABSL_GUARDED_BY(mutex_) = false;  // gRPC has let go of the call
};

}  // namespace slice

#endif  // SLICE_SERVER_RECOMMEND_LINKS_CALL_H_
