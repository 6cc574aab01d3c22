#include "server/batch_scheduler.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace slice {

namespace {

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
  {
    MutexLock lock(&mutex_);
    if (closed_) return absl::UnavailableError("the server is stopping");
    if (queue_.items() + items.size() > options_.max_queue_items) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the queue is full: ", queue_.items(), " of at most ",
                       options_.max_queue_items, " links are waiting"));
    }
    for (WorkItem* item : items) queue_.Push(item, now);
  }
  // A batch may take all of them; several workers share what is more.
  if (items.size() == 1) {
    changed_.Signal();
  } else {
    changed_.SignalAll();
  }
  return absl::OkStatus();
}

bool BatchScheduler::Take(WorkBatch* batch) {
  MutexLock lock(&mutex_);
  while (queue_.empty()) {
    if (closed_) return false;
    changed_.Wait(&mutex_);
  }
  *batch = queue_.Take(clock_->Now());
  return true;
}

void BatchScheduler::Close() {
  {
    MutexLock lock(&mutex_);
    closed_ = true;
  }
  changed_.SignalAll();
}

size_t BatchScheduler::queue_items() const {
  MutexLock lock(&mutex_);
  return queue_.items();
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
