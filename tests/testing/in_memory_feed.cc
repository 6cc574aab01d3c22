#include "tests/testing/in_memory_feed.h"

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"
#include "common/status_macros.h"

namespace slice {

class InMemoryFeed::Reader final : public FeedReader {
 public:
  Reader(InMemoryFeed* feed, uint64_t next) : feed_(feed), next_(next) {}

  absl::Status Read(size_t most, absl::Duration timeout,
                    std::vector<FeedEntry>* entries) override {
    const absl::Time end = absl::Now() + timeout;
    MutexLock lock(&feed_->mutex_);
    for (;;) {
      SLICE_RETURN_IF_ERROR(feed_->CheckConnected());
      auto next = feed_->entries_.lower_bound(next_);
      while (next != feed_->entries_.end() &&
             next->first <= feed_->hold_back_after_ && most-- > 0) {
        entries->push_back({next->first, next->second});
        next_ = next->first + 1;
        ++next;
      }
      const absl::Duration left = end - absl::Now();
      if (!entries->empty() || left <= absl::ZeroDuration()) break;
      feed_->changed_.WaitFor(&feed_->mutex_, left);
    }
    if (!entries->empty()) known_last_ = feed_->last_;
    return absl::OkStatus();
  }

  uint64_t known_last() const override { return known_last_; }

 private:
  InMemoryFeed* const feed_;
  uint64_t next_;
  uint64_t known_last_ = 0;
};

absl::Status InMemoryFeed::CheckConnected() const {
  return connected_ ? absl::OkStatus()
                    : absl::UnavailableError("the feed is away");
}

absl::StatusOr<Published> InMemoryFeed::Publish(const std::string& bytes,
                                                const std::string& message_id) {
  MutexLock lock(&mutex_);
  SLICE_RETURN_IF_ERROR(CheckConnected());
  const auto known = ids_.find(message_id);
  if (knows_ids_ && known != ids_.end()) return Published{known->second, true};
  entries_[++last_] = bytes;
  ids_[message_id] = last_;
  changed_.SignalAll();
  return Published{last_, false};
}

absl::StatusOr<FeedExtent> InMemoryFeed::Extent() {
  MutexLock lock(&mutex_);
  SLICE_RETURN_IF_ERROR(CheckConnected());
  const uint64_t first = entries_.empty() ? last_ + 1 : entries_.begin()->first;
  return FeedExtent{first, last_, identity_};
}

absl::StatusOr<std::unique_ptr<FeedReader>> InMemoryFeed::ReadFrom(
    uint64_t sequence) {
  MutexLock lock(&mutex_);
  SLICE_RETURN_IF_ERROR(CheckConnected());
  return std::make_unique<Reader>(this, sequence);
}

bool InMemoryFeed::connected() const {
  MutexLock lock(&mutex_);
  return connected_;
}

void InMemoryFeed::SetConnected(bool connected) {
  MutexLock lock(&mutex_);
  connected_ = connected;
  changed_.SignalAll();
}

void InMemoryFeed::HoldBackAfter(uint64_t sequence) {
  MutexLock lock(&mutex_);
  hold_back_after_ = sequence;
  changed_.SignalAll();
}

void InMemoryFeed::DropBefore(uint64_t sequence) {
  MutexLock lock(&mutex_);
  entries_.erase(entries_.begin(), entries_.lower_bound(sequence));
}

void InMemoryFeed::DropAfter(uint64_t sequence) {
  MutexLock lock(&mutex_);
  entries_.erase(entries_.upper_bound(sequence), entries_.end());
  last_ = std::min(last_, sequence);
}

void InMemoryFeed::Drop(uint64_t sequence) {
  MutexLock lock(&mutex_);
  entries_.erase(sequence);
}

void InMemoryFeed::SetIdentity(const std::string& identity) {
  MutexLock lock(&mutex_);
  identity_ = identity;
}

void InMemoryFeed::SetKnowsIds(bool knows) {
  MutexLock lock(&mutex_);
  knows_ids_ = knows;
}

}  // namespace slice
