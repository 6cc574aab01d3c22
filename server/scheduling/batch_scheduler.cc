// A BatchQueue makes the batches, under a mutex. The workers of each lane wait
// on a condition variable of their own.
//
// Invariants:
//   - A worker waits only while its lane has no turn (BatchQueue::HasTurn).
//   - Schedule wakes the lanes that have a turn after its items were queued.
//   - Take wakes the bulk lane when it has a turn after the batch was taken:
//     the last interactive item may have left the queue, or bulk work may now
//     be owed its share.
//   - No condition variable is signalled under the mutex.
#include "server/scheduling/batch_scheduler.h"

#include <algorithm>

namespace slice {
namespace {

constexpr std::array kLanes = {WorkLane::kInteractive, WorkLane::kBulk,
                               WorkLane::kAll};

size_t Index(WorkLane lane) { return static_cast<size_t>(lane); }

QueueState::Next Describe(const WorkBatch& batch, absl::Time now) {
  QueueState::Next next;
  next.dropped = batch.dropped.size();
  absl::Time earliest = absl::InfiniteFuture();
  for (const WorkItem* item : batch.items) {
    const ServiceOrder order = item->order();
    ++next.items[static_cast<size_t>(order.request_class)];
    next.explained = order.key.explain;
    earliest = std::min(earliest, order.deadline);
  }
  if (!batch.items.empty()) next.until_deadline = earliest - now;
  return next;
}

}  // namespace

BatchScheduler::BatchScheduler(const BatchQueueOptions& order,
                               const Clock* clock)
    : clock_(clock), queue_(order) {}

BatchScheduler::~BatchScheduler() { Close(); }

BatchScheduler::LaneFlags BatchScheduler::LanesWithTurn() const {
  LaneFlags has_turn = {};
  for (const WorkLane lane : kLanes) {
    has_turn[Index(lane)] = queue_.HasTurn(lane);
  }
  return has_turn;
}

// One worker is enough for one item; more items may need several batches.
void BatchScheduler::Wake(const LaneFlags& lanes, size_t items) {
  for (const WorkLane lane : kLanes) {
    if (!lanes[Index(lane)]) continue;
    if (items == 1) {
      changed_[Index(lane)].Signal();
    } else {
      changed_[Index(lane)].SignalAll();
    }
  }
}

bool BatchScheduler::Take(WorkLane lane, WorkBatch* batch) {
  bool bulk_turn = false;
  {
    MutexLock lock(&mutex_);
    while (!queue_.HasTurn(lane)) {
      if (closed_ && queue_.empty(lane)) return false;
      changed_[Index(lane)].Wait(&mutex_);
    }
    *batch = queue_.Take(clock_->Now(), lane);
    bulk_turn = queue_.HasTurn(WorkLane::kBulk);
  }
  // The items that were just taken may have kept the bulk lane waiting. A
  // signal that nobody waits for costs nothing.
  if (bulk_turn) changed_[Index(WorkLane::kBulk)].SignalAll();
  return true;
}

void BatchScheduler::Close() {
  {
    MutexLock lock(&mutex_);
    closed_ = true;
  }
  for (CondVar& changed : changed_) changed.SignalAll();
}

size_t BatchScheduler::queue_items() const {
  MutexLock lock(&mutex_);
  return queue_.items();
}

bool BatchScheduler::has_work(WorkLane lane) const {
  MutexLock lock(&mutex_);
  return queue_.HasTurn(lane);
}

QueueState BatchScheduler::State() const {
  const absl::Time now = clock_->Now();
  QueueState state;
  MutexLock lock(&mutex_);
  for (int i = 0; i < kRequestClasses; ++i) {
    const ClientQueues& queues = queue_.of(static_cast<RequestClass>(i));
    state.classes[i] = {queues.items(), queues.cost(), queues.clients()};
  }
  state.oldest_age = queue_.OldestAge(now);
  state.closed = closed_;
  // Taking a batch from a copy of the queue shows the next batch. Take reads
  // the items; the lock keeps other threads from ending them meanwhile.
  BatchQueue copy = queue_;
  state.next = Describe(copy.Take(now), now);
  return state;
}

}  // namespace slice
