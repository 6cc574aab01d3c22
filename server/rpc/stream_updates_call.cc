#include "server/rpc/stream_updates_call.h"

#include <utility>

#include "common/status_macros.h"
#include "server/grpc_status.h"
#include "server/rpc/update_request.h"

namespace slice {

StreamUpdatesCall::StreamUpdatesCall(
    const ServiceCore* core, grpc::CallbackServerContext* context,
    std::function<void(StreamUpdatesCall*)> on_done)
    : core_(core),
      context_(context),
      record_(core->Begin(RpcMethod::kStreamUpdates, *context)),
      on_done_(std::move(on_done)) {}

void StreamUpdatesCall::OnReadDone(bool ok) {
  if (!ok) {
    return End(context_->IsCancelled()
                   ? absl::CancelledError("the client is gone")
                   : absl::OkStatus());
  }
  {
    MutexLock lock(&mutex_);
    if (finished_) return;
    working_ = true;
  }
  absl::Status submitted =
      core_->CheckStillAllowed(RpcMethod::kStreamUpdates, *context_);
  if (submitted.ok()) {
    submitted =
        SubmitUpdate(*core_, core_->OriginOf(*context_), incoming_, &model_,
                     [this](const absl::StatusOr<UpdateOutcome>& outcome) {
                       Applied(outcome);
                     });
  }
  if (!submitted.ok()) End(submitted);
}

void StreamUpdatesCall::Applied(const absl::StatusOr<UpdateOutcome>& outcome) {
  absl::Status status = outcome.status();
  if (status.ok()) status = WriteUpdateReply(*outcome, &outgoing_);
  if (!status.ok()) return End(status);
  StartWrite(&outgoing_);
}

void StreamUpdatesCall::OnWriteDone(bool ok) {
  if (!ok) return End(absl::CancelledError("the client is gone"));
  bool draining = false;
  {
    MutexLock lock(&mutex_);
    working_ = false;
    draining = draining_;
  }
  if (draining) return End(absl::UnavailableError("the server is stopping"));
  StartRead(&incoming_);
}

void StreamUpdatesCall::Drain() {
  {
    MutexLock lock(&mutex_);
    draining_ = true;
    if (working_) return;
  }
  End(absl::UnavailableError("the server is stopping"));
}

void StreamUpdatesCall::End(const absl::Status& status) {
  {
    MutexLock lock(&mutex_);
    if (std::exchange(finished_, true)) return;
  }
  record_.Handled(static_cast<int>(status.code()));
  Finish(ToGrpcStatus(status));
}

}  // namespace slice
