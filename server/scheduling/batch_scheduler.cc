#include "server/scheduling/batch_scheduler.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

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

BatchScheduler::BatchScheduler(const BatchSchedulerOptions& options,
                               const Clock* clock)
    : options_(options), clock_(clock), queue_(options.order) {}

BatchScheduler::~BatchScheduler() { Close(); }

absl::Status BatchScheduler::Schedule(std::span<WorkItem* const> items) {
  if (items.empty()) return absl::OkStatus();
  const absl::Time now = clock_->Now();
  std::array<bool, kWorkLanes> has_work = {};
  {
    MutexLock lock(&mutex_);
    if (closed_) return absl::UnavailableError("the server is stopping");
    if (queue_.items() + items.size() > options_.max_queue_items) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the queue is full: ", queue_.items(), " of at most ",
                       options_.max_queue_items, " links are waiting"));
    }
    for (WorkItem* item : items) queue_.Push(item, now);
    for (const WorkLane lane : kLanes)
      has_work[Index(lane)] = queue_.HasTurn(lane);
  }
  for (const WorkLane lane : kLanes) {
    if (has_work[Index(lane)]) Wake(lane, items.size());
  }
  return absl::OkStatus();
}

// A batch may take all items; several workers share what is more.
void BatchScheduler::Wake(WorkLane lane, size_t items) {
  if (items == 1) {
    changed_[Index(lane)].Signal();
  } else {
    changed_[Index(lane)].SignalAll();
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
  // The bulk lane may have waited for what was just taken. Without a waiting
  // thread this costs nothing.
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
  FairQueue copy = queue_;  // the items must not end meanwhile: under the lock
  state.next = Describe(copy.Take(now), now);
  return state;
}

}  // namespace slice
