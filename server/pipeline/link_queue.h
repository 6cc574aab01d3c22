// The queues between the stages of the pipeline. A LinkQueue is a
// BatchScheduler that takes LinkItems only. The scheduler knows them as
// WorkItems, their base class; this file casts them back, and no other file
// does.
#ifndef SLICE_SERVER_PIPELINE_LINK_QUEUE_H_
#define SLICE_SERVER_PIPELINE_LINK_QUEUE_H_

#include <span>
#include <vector>

#include "absl/status/status.h"
#include "common/clock.h"
#include "server/pipeline/link_job.h"
#include "server/scheduling/batch_scheduler.h"
#include "server/scheduling/work_item.h"

namespace slice {

// A batch of a LinkQueue. It can be copied, and does not own the links.
class LinkBatch {
 public:
  // The links to work on. All have the same BatchKey.
  std::vector<LinkItem*> items() const { return AsLinks(work_.items); }
  // The links that were late or cancelled: they must be ended without work.
  std::vector<LinkItem*> dropped() const { return AsLinks(work_.dropped); }

  // The same batch for a ScheduleObserver.
  const WorkBatch& work() const { return work_; }

 private:
  friend class LinkQueue;

  static std::vector<LinkItem*> AsLinks(const std::vector<WorkItem*>& items) {
    std::vector<LinkItem*> links;
    links.reserve(items.size());
    for (WorkItem* item : items) links.push_back(static_cast<LinkItem*>(item));
    return links;
  }

  WorkBatch work_;
};

// Thread-safe. The methods are those of BatchScheduler.
class LinkQueue {
 public:
  LinkQueue(const BatchQueueOptions& order, const Clock* clock)
      : scheduler_(order, clock) {}

  absl::Status Schedule(std::span<LinkItem* const> links) {
    return scheduler_.Schedule(links);
  }
  [[nodiscard]] bool Take(WorkLane lane, LinkBatch* batch) {
    return scheduler_.Take(lane, &batch->work_);
  }
  void Close() { scheduler_.Close(); }
  QueueState State() const { return scheduler_.State(); }

 private:
  BatchScheduler scheduler_;
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_LINK_QUEUE_H_
