// Counts one RPC from its arrival to its reply.
#ifndef SLICE_SERVER_RPC_RPC_RECORD_H_
#define SLICE_SERVER_RPC_RPC_RECORD_H_

#include "absl/time/time.h"
#include "common/clock.h"
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

  // Counts the end. REQUIRES: called once, with the gRPC status code of the
  // reply.
  void Handled(int code) const {
    metrics_->RpcHandled(method_, code, clock_->Now() - start_);
  }

  absl::Time start() const { return start_; }

 private:
  RpcMethod method_;
  ServerMetrics* metrics_;
  const Clock* clock_;
  absl::Time start_;
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_RPC_RECORD_H_
