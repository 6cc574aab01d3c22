// What the services share: the models, the metrics, and the ways to finish an
// RPC.
#ifndef SLICE_SERVER_SERVICE_CORE_H_
#define SLICE_SERVER_SERVICE_CORE_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <functional>

#include "absl/status/status.h"
#include "common/clock.h"
#include "server/metrics.h"
#include "server/rpc_record.h"
#include "server/served_model.h"
#include "server/task_queue.h"

namespace slice {

// Owns nothing. Thread-safe.
struct ServiceCore {
  ModelRegistry* registry = nullptr;
  TaskQueue* lookups = nullptr;  // for searches that are too slow for a reactor
  TaskQueue* recommendations = nullptr;
  ServerMetrics* metrics = nullptr;
  const Clock* clock = nullptr;

  // Finishes with `status` at once.
  grpc::ServerUnaryReactor* Finish(grpc::CallbackServerContext* context,
                                   const RpcRecord& record,
                                   const absl::Status& status) const;

  // Runs `answer` on the lookup queue and finishes with its status, unless the
  // caller is gone by then. RESOURCE_EXHAUSTED with a RetryInfo when the queue
  // is full.
  grpc::ServerUnaryReactor* Lookup(grpc::CallbackServerContext* context,
                                   const RpcRecord& record,
                                   std::function<absl::Status()> answer) const;
};

}  // namespace slice

#endif  // SLICE_SERVER_SERVICE_CORE_H_
