// A LoadRun has three phases: the warm-up, the measured time, and the wait
// until the last call has ended. A call is measured when it was due in the
// measured time, whenever it ends. Rates count the answers that came in the
// measured time, whenever their calls were due.
//
// In a closed loop, Send starts a call in every slot. Each call of Finished
// then starts the next call in the same slot, until the measured time ends. In
// an open loop, Send starts a call at each arrival of a Poisson process; an
// arrival that finds no free slot is counted as unsent. The lock is not held
// while a call is started, because Start may take time.
#include "client/bench/load_run.h"

#include <algorithm>
#include <utility>

namespace slice {

LoadRun::LoadRun(const LoadShape& shape, const Clock* clock, CallStarter* calls)
    : shape_(shape),
      clock_(clock),
      calls_(calls),
      measured_from_(clock->Now() + shape.warmup),
      end_(measured_from_ + shape.duration),
      arrivals_(shape.rate > 0 ? shape.rate : 1, shape.seed,
                measured_from_ - shape.warmup),
      next_due_(arrivals_.Next()),
      slots_(shape.slots) {
  // The slot that was freed last is taken first, because its memory is still in
  // the cache.
  for (size_t slot = shape.slots; slot-- > 0;) free_slots_.push_back(slot);
}

bool LoadRun::IsMeasured(absl::Time time) const {
  return time >= measured_from_ && time < end_;
}

void LoadRun::Begin(size_t slot, absl::Time due) {
  const bool measured = IsMeasured(due);
  slots_[slot] = {due, measured};
  if (measured) ++result_.sent;
  result_.max_outstanding =
      std::max(result_.max_outstanding, slots_.size() - free_slots_.size());
}

absl::Time LoadRun::Send() {
  return shape_.rate > 0 ? SendOpen() : SendClosed();
}

absl::Time LoadRun::SendClosed() {
  for (;;) {
    size_t slot = 0;
    {
      MutexLock lock(&mutex_);
      const absl::Time now = clock_->Now();
      if (now >= end_) return absl::InfiniteFuture();
      if (free_slots_.empty()) return end_;
      slot = free_slots_.back();
      free_slots_.pop_back();
      Begin(slot, now);
    }
    calls_->Start(slot);
  }
}

absl::Time LoadRun::SendOpen() {
  for (;;) {
    size_t slot = 0;
    {
      MutexLock lock(&mutex_);
      const absl::Time now = clock_->Now();
      if (next_due_ >= end_) return absl::InfiniteFuture();
      if (next_due_ > now) return next_due_;
      const absl::Time due = next_due_;
      next_due_ = arrivals_.Next();
      if (free_slots_.empty()) {
        if (IsMeasured(due)) ++result_.unsent;
        continue;
      }
      slot = free_slots_.back();
      free_slots_.pop_back();
      Begin(slot, due);
      if (slots_[slot].measured) result_.lateness.Record(now - due);
    }
    calls_->Start(slot);
  }
}

void LoadRun::Count(const FinishedCall& call, absl::Time now) {
  ++finished_;
  ClassResult& of_class = result_.classes[call.load_class];
  if (call.status.ok() && IsMeasured(now)) {
    ++answered_in_time_;
    links_in_time_ += call.links;
    of_class.links += call.links;
  }
  const Slot& slot = slots_[call.slot];
  if (!slot.measured) return;
  if (!call.status.ok()) {
    ++result_.errors[call.status.code()];
    if (result_.first_error.ok()) result_.first_error = call.status;
    result_.error_latency.Record(now - slot.due);
    ++of_class.failed;
    if (absl::IsResourceExhausted(call.status)) {
      result_.rejected_latency.Record(now - slot.due);
    }
    return;
  }
  ++of_class.answered;
  of_class.latency.Record(now - slot.due);
  if (call.server_times) result_.stages.Add(*call.server_times);
  ++result_.answered;
  result_.links += call.links;
  result_.latency.Record(now - slot.due);
  for (const auto& [code, count] : call.link_errors)
    result_.link_errors[code] += count;
  if (result_.first_link_error.ok())
    result_.first_link_error = call.first_link_error;
}

void LoadRun::Finished(const FinishedCall& call) {
  {
    MutexLock lock(&mutex_);
    const absl::Time now = clock_->Now();
    Count(call, now);
    if (shape_.until_unavailable && absl::IsUnavailable(call.status))
      EndNow(now);
    if (shape_.rate > 0 || now >= end_) {
      free_slots_.push_back(call.slot);
      if (free_slots_.size() == slots_.size()) idle_.SignalAll();
      return;
    }
    Begin(call.slot, now);
  }
  calls_->Start(call.slot);
}

void LoadRun::EndNow(absl::Time now) {
  if (now >= end_) return;
  end_ = now;
  result_.interrupted = true;
}

void LoadRun::Interrupt() {
  MutexLock lock(&mutex_);
  EndNow(clock_->Now());
}

void LoadRun::WaitUntilIdle() {
  MutexLock lock(&mutex_);
  while (free_slots_.size() < slots_.size()) idle_.Wait(&mutex_);
}

int64_t LoadRun::finished() const {
  MutexLock lock(&mutex_);
  return finished_;
}

LoadResult LoadRun::TakeResult() {
  MutexLock lock(&mutex_);
  LoadResult result = std::move(result_);
  result.measured = std::max(absl::ZeroDuration(), end_ - measured_from_);
  const double seconds = absl::ToDoubleSeconds(result.measured);
  if (seconds > 0) {
    result.rpcs_per_second = static_cast<double>(answered_in_time_) / seconds;
    result.links_per_second = static_cast<double>(links_in_time_) / seconds;
    for (auto& [load_class, of_class] : result.classes) {
      of_class.links_per_second = static_cast<double>(of_class.links) / seconds;
    }
  }
  return result;
}

}  // namespace slice
