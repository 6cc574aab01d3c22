// Reports the start and the end of a batch to a ScheduleObserver.
#ifndef SLICE_SERVER_SCHEDULING_OBSERVED_BATCH_H_
#define SLICE_SERVER_SCHEDULING_OBSERVED_BATCH_H_

#include <cstdint>

#include "server/scheduling/schedule_observer.h"

namespace slice {

// The batch lasts from construction to End, or to the end of the scope.
class ObservedBatch {
 public:
  // `observer` may be null and must outlive this object.
  ObservedBatch(ScheduleObserver* observer, WorkStage stage,
                const WorkBatch& batch)
      : observer_(observer),
        number_(observer == nullptr ? 0
                                    : observer->BatchStarted(stage, batch)) {}
  ~ObservedBatch() { End(); }
  ObservedBatch(const ObservedBatch&) = delete;
  ObservedBatch& operator=(const ObservedBatch&) = delete;

  // Idempotent.
  void End() {
    if (observer_ != nullptr) observer_->BatchEnded(number_);
    observer_ = nullptr;
  }

 private:
  ScheduleObserver* observer_;
  const uint64_t number_;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_OBSERVED_BATCH_H_
