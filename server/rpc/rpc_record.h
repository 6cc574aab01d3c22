// Counts one RPC from its arrival to its reply.
#ifndef SLICE_SERVER_RPC_RPC_RECORD_H_
#define SLICE_SERVER_RPC_RPC_RECORD_H_

#include <memory>
#include <utility>

#include "absl/time/time.h"
#include "common/clock.h"
#include "server/access/call_log.h"
#include "server/server_metrics.h"

namespace slice {

// A value; one per RPC. The constructor counts the start.
class RpcRecord {
 public:
  RpcRecord(RpcMethod method, ServerMetrics* metrics, const Clock* clock)
      : method_(method),
        metrics_(metrics),
        clock_(clock),
        start_(clock->Now()) {
    metrics_->RpcStarted(method_);
  }

  // As above. When the RPC ends, `log` writes `note`.
  RpcRecord(RpcMethod method, ServerMetrics* metrics, const Clock* clock,
            CallLog* log, std::shared_ptr<const CallNote> note)
      : RpcRecord(method, metrics, clock) {
    log_ = log;
    note_ = std::move(note);
  }

  // Counts the end. REQUIRES: called once, with the gRPC status code of the
  // reply.
  void Handled(int code) const {
    const absl::Duration took = clock_->Now() - start_;
    metrics_->RpcHandled(method_, code, took);
    if (note_ != nullptr) log_->Ended(*note_, code, took);
  }

  absl::Time start() const { return start_; }

 private:
  RpcMethod method_;
  ServerMetrics* metrics_;
  const Clock* clock_;
  absl::Time start_;
  CallLog* log_ = nullptr;
  std::shared_ptr<const CallNote> note_;  // null: not logged
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_RPC_RECORD_H_
