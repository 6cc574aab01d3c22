// Whether the server is ready for requests, which depends on several things.
#ifndef SLICE_SERVER_READINESS_H_
#define SLICE_SERVER_READINESS_H_

#include <set>

#include "common/mutex.h"
#include "server/rpc/health_service.h"
#include "server/server_metrics.h"

namespace slice {

// What keeps a server from being ready.
enum class Obstacle { kNoModel, kDeviceLost, kStopping, kBehindFeed };

// Tells the health checks and the metrics. Thread-safe.
class Readiness {
 public:
  // Both must outlive the object. It begins with kNoModel.
  Readiness(HealthService* health, ServerMetrics* metrics)
      : health_(health), metrics_(metrics) {}

  void Add(Obstacle obstacle);
  void Remove(Obstacle obstacle);
  bool ready() const;

 private:
  void Tell() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  HealthService* const health_;
  ServerMetrics* const metrics_;
  // Held while others are told, so that they learn of changes in order.
  mutable Mutex mutex_;
  std::set<Obstacle> obstacles_ ABSL_GUARDED_BY(mutex_) = {Obstacle::kNoModel};
};

}  // namespace slice

#endif  // SLICE_SERVER_READINESS_H_
