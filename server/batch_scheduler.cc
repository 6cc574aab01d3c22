#include "server/batch_scheduler.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace slice {

BatchScheduler::BatchScheduler(const BatchSchedulerOptions& options,
                               const Clock* clock)
    : options_(options), clock_(clock) {}

BatchScheduler::~BatchScheduler() { Close(); }

absl::Status BatchScheduler::Schedule(std::unique_ptr<BatchTask>* task) {
  const absl::Time now = clock_->Now();
  {
    MutexLock lock(&mutex_);
    if (closed_) return absl::UnavailableError("the server is stopping");
    if (queue_items_ >= options_.max_queue_items) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the batch queue is full (", queue_items_, " items)"));
    }
    const Position position{(*task)->deadline(), next_sequence_++};
    Queue& queue = queues_[(*task)->key()];
    queue.emplace(position, QueuedTask{std::move(*task), now});
    ++queue_items_;
  }
  changed_.Signal();
  return absl::OkStatus();
}

std::optional<Batch> BatchScheduler::Take() {
  MutexLock lock(&mutex_);
  while (queues_.empty()) {
    if (closed_) return std::nullopt;
    changed_.Wait(&mutex_);
  }
  Batch batch;
  DropLate(clock_->Now(), batch);
  if (!queues_.empty()) FillBatch(batch);
  return batch;
}

void BatchScheduler::DropLate(absl::Time now, Batch& batch) {
  for (auto entry = queues_.begin(); entry != queues_.end();) {
    Queue& queue = entry->second;
    while (!queue.empty() && queue.begin()->first.deadline <= now) {
      batch.dropped.push_back(std::move(queue.begin()->second.task));
      queue.erase(queue.begin());
      --queue_items_;
    }
    entry = queue.empty() ? queues_.erase(entry) : std::next(entry);
  }
}

void BatchScheduler::FillBatch(Batch& batch) {
  const auto chosen = std::min_element(
      queues_.begin(), queues_.end(), [](const auto& a, const auto& b) {
        return a.second.begin()->first < b.second.begin()->first;
      });
  Queue& queue = chosen->second;
  while (!queue.empty() && batch.tasks.size() < options_.max_batch_size) {
    std::unique_ptr<BatchTask> task = std::move(queue.begin()->second.task);
    queue.erase(queue.begin());
    --queue_items_;
    auto& destination = task->cancelled() ? batch.dropped : batch.tasks;
    destination.push_back(std::move(task));
  }
  if (queue.empty()) queues_.erase(chosen);
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
  return queue_items_;
}

absl::Duration BatchScheduler::OldestAge() const {
  const absl::Time now = clock_->Now();
  MutexLock lock(&mutex_);
  absl::Time oldest = now;
  for (const auto& [key, queue] : queues_) {
    for (const auto& [position, queued] : queue) {
      oldest = std::min(oldest, queued.enqueued);
    }
  }
  return now - oldest;
}

}  // namespace slice
