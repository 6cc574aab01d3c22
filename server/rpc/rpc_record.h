// Counts one RPC from its arrival to its reply, and has it logged.
#ifndef SLICE_SERVER_RPC_RPC_RECORD_H_
#define SLICE_SERVER_RPC_RPC_RECORD_H_

#include <memory>
#include <span>
#include <utility>

#include "absl/time/time.h"
#include "common/clock.h"
#include "server/access/call_log.h"
#include "server/models/served_model.h"
#include "server/server_metrics.h"

namespace slice {

// The part of a model in a call: which version answered or was to answer, and
// what its stages took. Used while Handled runs.
struct ModelPart {
  const ServedModel* model = nullptr;  // null: none
  std::span<const StageTime> stages = {};
};

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
  void Handled(int code, const ModelPart& part = {}) const {
    CallEnd end = {.code = code, .took = clock_->Now() - start_};
    metrics_->RpcHandled(method_, code, end.took);
    if (part.model != nullptr) {
      metrics_->models().Answered(part.model->name, code, end.took);
    }
    if (note_ == nullptr) return;
    if (part.model != nullptr) end.model = VersionName(*part.model);
    end.stages = part.stages;
    log_->Ended(*note_, end);
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
