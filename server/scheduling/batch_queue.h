// Makes batches of items in a fair order: the two classes share the cost, the
// clients of a class take turns, and of one client the item with the earliest
// deadline comes first. It is a plain data structure, without threads.
#ifndef SLICE_SERVER_SCHEDULING_BATCH_QUEUE_H_
#define SLICE_SERVER_SCHEDULING_BATCH_QUEUE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/time/time.h"
#include "server/scheduling/client_queues.h"
#include "server/scheduling/work_item.h"

namespace slice {

struct BatchQueueOptions {
  // A batch is complete when its cost reaches max_batch_cost. A batch of bulk
  // work alone is complete at max_bulk_batch_cost already, and so is a batch of
  // explained items, which takes longer: interactive work that comes meanwhile
  // must wait until the batch ends.
  size_t max_batch_cost = 64;
  size_t max_bulk_batch_cost = 16;
  // The share of the cost that bulk work gets at least while both classes wait.
  double bulk_share = 0.1;
  // The cost that one client may take in a row.
  size_t quantum = 8;
  // Whether the bulk lane, too, takes no more than bulk_share while interactive
  // work waits. This suits a stage with one interactive thread per core: while
  // interactive work waits there, no core is free.
  bool bulk_lane_waits = false;
};

// Thread-compatible; reads no clock.
class BatchQueue {
 public:
  explicit BatchQueue(const BatchQueueOptions& options);

  void Push(WorkItem* item, absl::Time now);

  // Removes and returns the next batch of the lane. When the lane has no turn,
  // the batch has no items, but it may have late ones in `dropped`. While
  // interactive work waits, the interactive lane also takes the bulk work that
  // is owed its share.
  WorkBatch Take(absl::Time now, WorkLane lane = WorkLane::kAll);

  bool empty(WorkLane lane = WorkLane::kAll) const;
  // Whether the lane has a turn: work waits that the lane may take now.
  bool HasTurn(WorkLane lane) const;
  size_t items() const;
  const ClientQueues& of(RequestClass request_class) const {
    return classes_[static_cast<size_t>(request_class)];
  }
  // How long the oldest item has waited; zero when nothing waits. Takes
  // O(number of different deadlines).
  absl::Duration OldestAge(absl::Time now) const;

 private:
  void RemoveLate(absl::Time now, WorkBatch& batch);
  std::optional<QueuedItem> Pop(RequestClass request_class,
                                const BatchKey* key);
  std::optional<QueuedItem> PopNext(WorkLane lane, const BatchKey* key);
  bool IsBulkTurn(WorkLane lane) const;
  void Account(const QueuedItem& queued);

  const BatchQueueOptions options_;
  std::array<ClientQueues, kRequestClasses> classes_;
  double bulk_credit_ = 0;  // cost that bulk work is owed
  // A time no later than the earliest deadline in the queue.
  absl::Time earliest_deadline_ = absl::InfiniteFuture();
  uint64_t next_sequence_ = 0;
};

}  // namespace slice

#endif  // SLICE_SERVER_SCHEDULING_BATCH_QUEUE_H_
