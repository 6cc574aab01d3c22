// What the scheduler does, told to whoever watches.
#ifndef SLICE_SERVER_SCHEDULING_SCHEDULE_OBSERVER_H_
#define SLICE_SERVER_SCHEDULING_SCHEDULE_OBSERVER_H_

#include <cstdint>
#include <span>

#include "server/scheduling/admission.h"
#include "server/scheduling/work_item.h"

namespace slice {

// Thread-safe. Called by the threads that do the work, under no lock.
class ScheduleObserver {
 public:
  virtual ~ScheduleObserver() = default;

  // A request came. `items` are those of an admitted one, which are not
  // scheduled yet; none of one that was refused. All have the order `order`.
  virtual void Arrived(const RequestedWork& work, const ServiceOrder& order,
                       std::span<WorkItem* const> items) = 0;

  // A worker took a batch; returns its number.
  virtual uint64_t BatchStarted(WorkStage stage, const WorkBatch& batch) = 0;

  // The worker is done with it; its items may be gone.
  virtual void BatchEnded(uint64_t number) = 0;
};

// A batch from its start to End, or to the end of the scope.
class ObservedBatch {
 public:
  // `observer` may be null and must outlive this.
  ObservedBatch(ScheduleObserver* observer, WorkStage stage,
                const WorkBatch& batch)
      : observer_(observer),
        number_(observer == nullptr ? 0
                                    : observer->BatchStarted(stage, batch)) {}
  ~ObservedBatch() { End(); }
  ObservedBatch(const ObservedBatch&) = delete;
  ObservedBatch& operator=(const ObservedBatch&) = delete;

  void End() {
    if (observer_ != nullptr) observer_->BatchEnded(number_);
    observer_ = nullptr;
  }

 private:
  ScheduleObserver* observer_;
  const uint64_t number_;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_SCHEDULE_OBSERVER_H_
