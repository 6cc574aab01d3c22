// Remembers the requests that were refused last, for AdminService.
#ifndef SLICE_SERVER_PIPELINE_SHED_LOG_H_
#define SLICE_SERVER_PIPELINE_SHED_LOG_H_

#include <cstddef>
#include <deque>
#include <vector>

#include "absl/time/time.h"
#include "common/mutex.h"
#include "server/scheduling/admission.h"
#include "server/server_metrics.h"

namespace slice {

struct ShedRecord {
  absl::Time time;
  ShedReason reason = ShedReason::kQueueFull;
  RequestedWork work;
  absl::Duration predicted_wait;
};

// Thread-safe.
class ShedLog {
 public:
  // Keeps the last `capacity` records.
  explicit ShedLog(size_t capacity = 100) : capacity_(capacity) {}

  void Add(const ShedRecord& record) {
    MutexLock lock(&mutex_);
    if (records_.size() == capacity_) records_.pop_front();
    records_.push_back(record);
  }

  // The oldest first.
  std::vector<ShedRecord> Records() const {
    MutexLock lock(&mutex_);
    return {records_.begin(), records_.end()};
  }

 private:
  const size_t capacity_;
  mutable Mutex mutex_;
  std::deque<ShedRecord> records_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_SHED_LOG_H_
