// Ranges that wait are kept by position, so that Take always gives out the
// first link that waits. It holds threads back when they would run further
// ahead of the accepted links than max_ahead, which bounds the answers in
// memory. A range whose call was too large comes back with Put, waits again,
// and is given out in smaller pieces.
#include "client/link_ranges.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

// Whether a smaller call may succeed.
bool IsTooMuch(const absl::Status& status) {
  return absl::IsDeadlineExceeded(status) || absl::IsResourceExhausted(status);
}

}  // namespace

LinkRanges::LinkRanges(const Options& options)
    : options_(options),
      size_(options.most, options.max_time),
      reported_size_(options.most),
      end_(options.links) {
  if (options.links > 0) waiting_.emplace(0, options.links);
}

bool LinkRanges::CanTake() const {
  return !waiting_.empty() && waiting_.begin()->first < end_ &&
         waiting_.begin()->first < accepted_ + options_.max_ahead;
}

bool LinkRanges::Take(LinkRange* range) {
  MutexLock lock(&mutex_);
  // A range under way may come back, so the end is when all are accepted.
  while (!stopped_ && accepted_ < options_.links && !CanTake()) {
    changed_.Wait(&mutex_);
  }
  if (stopped_ || accepted_ == options_.links) return false;
  const auto [first, count] = *waiting_.begin();
  *range = {first, std::min(count, size_.links())};
  waiting_.erase(waiting_.begin());
  if (range->count < count) {
    waiting_.emplace(first + range->count, count - range->count);
  }
  return true;
}

void LinkRanges::Put(const LinkRange& range, absl::StatusOr<ScoredLinks> answer,
                     absl::Duration took) {
  MutexLock lock(&mutex_);
  if (answer.ok()) {
    size_.Answered(range.count, took);
    lost_in_a_row_ = 0;
    from_ = answer->from;
  } else if (IsTooMuch(answer.status())) {
    size_.Missed(range.count);
    if (range.count > 1) {
      waiting_.emplace(range.first, range.count);
      changed_.SignalAll();
      return;
    }
    answer = Lost(answer.status());
  }
  // The run ends with the links before this range.
  if (!answer.ok()) end_ = std::min(end_, range.first);
  answers_.emplace(range.first, std::move(answer));
  changed_.SignalAll();
}

absl::StatusOr<ScoredLinks> LinkRanges::Lost(absl::Status status) {
  if (++lost_in_a_row_ >= options_.max_lost) {
    return absl::Status(
        status.code(),
        absl::StrCat(std::string(status.message()), " (so ended ",
                     lost_in_a_row_, " calls for a single link in a row)"));
  }
  ScoredLinks lost;
  lost.from = from_;
  lost.links.emplace_back().status = std::move(status);
  return lost;
}

LinkRanges::News LinkRanges::Next() {
  MutexLock lock(&mutex_);
  auto answer = answers_.find(accepted_);
  while (answer == answers_.end() && size_.links() == reported_size_) {
    changed_.Wait(&mutex_);
    answer = answers_.find(accepted_);
  }
  News news;
  news.size = reported_size_ = size_.links();
  if (answer == answers_.end()) return news;
  news.answer = std::move(answer->second);
  answers_.erase(answer);
  if (news.answer->ok()) accepted_ += (*news.answer)->links.size();
  changed_.SignalAll();
  return news;
}

void LinkRanges::Stop() {
  MutexLock lock(&mutex_);
  stopped_ = true;
  changed_.SignalAll();
}

}  // namespace slice
