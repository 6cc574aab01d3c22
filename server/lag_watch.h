// Takes a replica that lags too far behind its change feed out of service.
#ifndef SLICE_SERVER_LAG_WATCH_H_
#define SLICE_SERVER_LAG_WATCH_H_

#include "common/periodic_task.h"
#include "server/feed/max_lag.h"
#include "server/models/model_registry.h"
#include "server/readiness.h"

namespace slice {

// Compares the lag of the served graphs with the most that they may have: at
// once, and then four times in a second. Thread-safe.
class LagWatch {
 public:
  // Both must outlive the watch.
  LagWatch(const ModelRegistry* registry, const MaxLag& max_lag,
           Readiness* readiness);

 private:
  void Look() const;

  const ModelRegistry* const registry_;
  const MaxLag max_lag_;
  Readiness* const readiness_;
  const PeriodicTask task_;
};

}  // namespace slice

#endif  // SLICE_SERVER_LAG_WATCH_H_
