// grpc.health.v1.Health. The service "" reports liveness; each other service
// name reports readiness.
//
// It replaces gRPC's own health service, whose open Watch streams would make
// Server::Shutdown wait until its deadline.
#ifndef SLICE_SERVER_RPC_HEALTH_SERVICE_H_
#define SLICE_SERVER_RPC_HEALTH_SERVICE_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "common/clock.h"
#include "common/mutex.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "server/server_metrics.h"

namespace slice {

// Thread-safe. Must outlive the gRPC server it is registered with.
class HealthService final : public grpc::health::v1::Health::CallbackService {
 public:
  using Status = grpc::health::v1::HealthCheckResponse::ServingStatus;

  // The service "" is SERVING from the start; `services` are NOT_SERVING until
  // SetReady.
  HealthService(const std::vector<std::string>& services,
                ServerMetrics* metrics, const Clock* clock);

  // Changes the readiness of all services and notifies their watchers.
  void SetReady(bool ready);

  // Finishes all Watch streams with UNAVAILABLE. A stream that comes later
  // finishes at once in the same way.
  void FinishWatches();

  grpc::ServerUnaryReactor* Check(
      grpc::CallbackServerContext* context,
      const grpc::health::v1::HealthCheckRequest* request,
      grpc::health::v1::HealthCheckResponse* response) override;
  grpc::ServerUnaryReactor* List(
      grpc::CallbackServerContext* context,
      const grpc::health::v1::HealthListRequest* request,
      grpc::health::v1::HealthListResponse* response) override;
  grpc::ServerWriteReactor<grpc::health::v1::HealthCheckResponse>* Watch(
      grpc::CallbackServerContext* context,
      const grpc::health::v1::HealthCheckRequest* request) override;

 private:
  class WatchStream;

  using WatchStreams = std::vector<std::shared_ptr<WatchStream>>;

  void Remove(const std::shared_ptr<WatchStream>& stream);

  ServerMetrics* const metrics_;
  const Clock* const clock_;

  // mutex_ is locked before the mutex of a stream, never after it. gRPC is
  // called under neither of them, because it may call back on the same thread.
  Mutex mutex_;
  std::map<std::string, Status> statuses_ ABSL_GUARDED_BY(mutex_);
  std::set<std::shared_ptr<WatchStream>> streams_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, size_t> streams_of_host_ ABSL_GUARDED_BY(mutex_);
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace slice

#endif  // SLICE_SERVER_RPC_HEALTH_SERVICE_H_
