// What the services share: the models, the metrics, the queues, and who calls.
#ifndef SLICE_SERVER_RPC_SERVICE_CORE_H_
#define SLICE_SERVER_RPC_SERVICE_CORE_H_

#include <grpcpp/server_context.h>

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "server/pipeline/served_model.h"
#include "server/pipeline/unread_answers.h"
#include "server/scheduling/task_queue.h"
#include "server/scheduling/work_item.h"
#include "server/server_metrics.h"

namespace slice {

// Owns nothing but its settings. Thread-safe.
struct ServiceCore {
  ModelRegistry* registry = nullptr;
  TaskQueue* lookups = nullptr;  // for searches that are too slow for a reactor
  TaskQueue* recommendations = nullptr;
  UnreadAnswers* answers = nullptr;
  ServerMetrics* metrics = nullptr;
  const Clock* clock = nullptr;
  absl::Duration max_deadline = absl::InfiniteDuration();
  std::string client_key;  // metadata that names a client; empty: none

  // UnreadAnswers::CheckRoom; counts what it refuses.
  absl::Status CheckRoomForAnswer(ClientId client) const;

  ClientId ClientOf(const grpc::ServerContextBase& context) const;
  // The caller's, and no later than the server's.
  absl::Time DeadlineOf(const grpc::ServerContextBase& context,
                        absl::Time now) const;
  // CANCELLED or DEADLINE_EXCEEDED when nobody waits for the answer of a call
  // that was queued.
  absl::Status CheckWanted(bool cancelled, absl::Time deadline) const;
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_SERVICE_CORE_H_
