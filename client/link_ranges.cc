// The ranges that wait to be sent are kept by position, so that Take always
// gives out the first waiting link. Take blocks while that link is max_ahead or
// more links past the accepted ones, which bounds the answers in memory. A
// range whose call was too large for the server comes back with Put. It then
// waits again and is given out in smaller pieces.
#include "client/link_ranges.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace slice {
namespace {

// Whether a call with fewer links may succeed after this error.
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
  // A range that another thread has taken may come back. Only when all links
  // are accepted is there nothing left to take.
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
  // After an error only the links before this range are still sent.
  if (!answer.ok()) end_ = std::min(end_, range.first);
  answers_.emplace(range.first, std::move(answer));
  changed_.SignalAll();
}

absl::StatusOr<ScoredLinks> LinkRanges::Lost(absl::Status status) {
  if (++lost_in_a_row_ >= options_.max_lost) {
    return absl::Status(
        status.code(),
        absl::StrCat(
            std::string(status.message()), " (", lost_in_a_row_,
            " calls in a row, each for a single link, ended like this)"));
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
