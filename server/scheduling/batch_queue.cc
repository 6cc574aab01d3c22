// How a batch is made:
//   1. Items whose deadline has passed leave the queue as `dropped`.
//   2. The next item is taken: bulk work first when it has its turn
//      (IsBulkTurn), otherwise interactive work first.
//   3. Further items of the same batch key follow until the batch reaches its
//      limit of cost. Cancelled items are dropped on the way.
// When no interactive work waits, bulk work has its turn; the interactive lane
// then takes nothing. While interactive work waits, bulk work has its turn once
// its credit reaches 1. The bulk lane does not wait for that credit, unless
// bulk_lane_waits is set. Interactive work that is taken while bulk work waits
// raises the credit, and bulk work that is taken lowers it (Account). So bulk
// work gets at least bulk_share of the cost.
#include "server/scheduling/batch_queue.h"

#include <algorithm>

namespace slice {
namespace {

// The most cost that bulk work can be owed.
constexpr double kMaxBulkCredit = 64;

}  // namespace

BatchQueue::BatchQueue(const BatchQueueOptions& options)
    : options_(options),
      classes_{ClientQueues(options.quantum), ClientQueues(options.quantum)} {}

void BatchQueue::Push(WorkItem* item, absl::Time now) {
  const ServiceOrder order = item->order();
  classes_[static_cast<size_t>(order.request_class)].Push(
      {item, order, now, next_sequence_++});
  earliest_deadline_ = std::min(earliest_deadline_, order.deadline);
}

bool BatchQueue::empty(WorkLane lane) const {
  if (lane == WorkLane::kAll) return items() == 0;
  return classes_[static_cast<size_t>(lane)].empty();
}

size_t BatchQueue::items() const {
  return classes_[0].items() + classes_[1].items();
}

absl::Duration BatchQueue::OldestAge(absl::Time now) const {
  const absl::Time oldest =
      std::min(classes_[0].OldestEnqueued(), classes_[1].OldestEnqueued());
  return std::max(absl::ZeroDuration(), now - std::min(oldest, now));
}

bool BatchQueue::HasTurn(WorkLane lane) const {
  return !empty(lane) && (lane != WorkLane::kBulk || IsBulkTurn(lane));
}

bool BatchQueue::IsBulkTurn(WorkLane lane) const {
  if (of(RequestClass::kBulk).empty()) return false;
  if (of(RequestClass::kInteractive).empty()) {
    return lane != WorkLane::kInteractive;
  }
  if (lane == WorkLane::kBulk && !options_.bulk_lane_waits) return true;
  return bulk_credit_ >= 1;
}

// Updates the credit of bulk work after `queued` was taken.
void BatchQueue::Account(const QueuedItem& queued) {
  const auto cost = static_cast<double>(queued.order.cost);
  if (of(RequestClass::kBulk).empty()) {
    bulk_credit_ = 0;
  } else if (queued.order.request_class == RequestClass::kBulk) {
    bulk_credit_ = std::max(0.0, bulk_credit_ - cost);
  } else {
    bulk_credit_ += cost * options_.bulk_share / (1 - options_.bulk_share);
    bulk_credit_ = std::min(bulk_credit_, kMaxBulkCredit);
  }
}

std::optional<QueuedItem> BatchQueue::Pop(RequestClass request_class,
                                          const BatchKey* key) {
  std::optional<QueuedItem> queued =
      classes_[static_cast<size_t>(request_class)].Pop(key);
  if (queued.has_value()) Account(*queued);
  return queued;
}

std::optional<QueuedItem> BatchQueue::PopNext(WorkLane lane,
                                              const BatchKey* key) {
  const bool bulk_first = IsBulkTurn(lane);
  std::optional<QueuedItem> queued;
  if (bulk_first) queued = Pop(RequestClass::kBulk, key);
  if (queued.has_value() || lane == WorkLane::kBulk) return queued;
  queued = Pop(RequestClass::kInteractive, key);
  if (queued.has_value() || bulk_first || lane != WorkLane::kAll) return queued;
  return Pop(RequestClass::kBulk, key);
}

void BatchQueue::RemoveLate(absl::Time now, WorkBatch& batch) {
  if (now < earliest_deadline_) return;
  earliest_deadline_ = absl::InfiniteFuture();
  for (ClientQueues& queues : classes_) {
    queues.RemoveLate(now, batch.dropped);
    earliest_deadline_ =
        std::min(earliest_deadline_, queues.EarliestDeadline());
  }
}

WorkBatch BatchQueue::Take(absl::Time now, WorkLane lane) {
  WorkBatch batch;
  RemoveLate(now, batch);
  const bool only_bulk =
      lane == WorkLane::kBulk || of(RequestClass::kInteractive).empty();
  const size_t small_limit =
      std::min(options_.max_bulk_batch_cost, options_.max_batch_cost);
  size_t limit = only_bulk ? small_limit : options_.max_batch_cost;
  BatchKey key;
  size_t cost = 0;
  while (cost < limit) {
    const auto queued = PopNext(lane, batch.items.empty() ? nullptr : &key);
    if (!queued.has_value()) break;
    if (queued->item->cancelled()) {
      batch.dropped.push_back(queued->item);
      continue;
    }
    key = queued->order.key;
    if (key.explain) limit = small_limit;
    cost += queued->order.cost;
    batch.items.push_back(queued->item);
  }
  return batch;
}

}  // namespace slice
