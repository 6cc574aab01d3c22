// The interface of objects that are told what the scheduler does.
#ifndef SLICE_SERVER_SCHEDULING_SCHEDULE_OBSERVER_H_
#define SLICE_SERVER_SCHEDULING_SCHEDULE_OBSERVER_H_

#include <cstdint>
#include <span>

#include "server/scheduling/admission.h"
#include "server/scheduling/work_item.h"

namespace slice {

// Thread-safe. The threads that do the work call the methods, and hold no lock
// meanwhile.
class ScheduleObserver {
 public:
  virtual ~ScheduleObserver() = default;

  // A request came. `items` are its items, which are not scheduled yet; a
  // request that was refused has none. `order` is the order of each of them.
  virtual void Arrived(const RequestedWork& work, const ServiceOrder& order,
                       std::span<WorkItem* const> items) = 0;

  // A worker took a batch. Returns a number that identifies the batch.
  virtual uint64_t BatchStarted(WorkStage stage, const WorkBatch& batch) = 0;

  // The worker is done with the batch that has this number. The items of the
  // batch may not exist any more.
  virtual void BatchEnded(uint64_t number) = 0;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_SCHEDULE_OBSERVER_H_
