// A change feed in memory, which can go away and lose entries.
#ifndef SLICE_TESTS_TESTING_IN_MEMORY_FEED_H_
#define SLICE_TESTS_TESTING_IN_MEMORY_FEED_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "common/mutex.h"
#include "server/feed/change_feed.h"

namespace slice {

// Thread-safe. Several replicas may share it.
class InMemoryFeed final : public ChangeFeed {
 public:
  absl::StatusOr<Published> Publish(const std::string& bytes,
                                    const std::string& message_id) override;
  absl::StatusOr<FeedExtent> Extent() override;
  absl::StatusOr<std::unique_ptr<FeedReader>> ReadFrom(
      uint64_t sequence) override;
  bool connected() const override;
  const std::string& name() const override { return name_; }

  // While it is false, all calls return UNAVAILABLE.
  void SetConnected(bool connected);
  // Readers get nothing beyond this sequence.
  void HoldBackAfter(uint64_t sequence);
  // Drops the entries before `sequence`, or those after it, or only that one.
  void DropBefore(uint64_t sequence);
  void DropAfter(uint64_t sequence);
  void Drop(uint64_t sequence);
  // As if the feed was made again under its name.
  void SetIdentity(const std::string& identity);
  // Whether it knows message ids again.
  void SetKnowsIds(bool knows);

 private:
  class Reader;

  absl::Status CheckConnected() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::string name_ = "memory://feed";
  mutable Mutex mutex_;
  CondVar changed_;
  bool connected_ ABSL_GUARDED_BY(mutex_) = true;
  bool knows_ids_ ABSL_GUARDED_BY(mutex_) = true;
  std::string identity_ ABSL_GUARDED_BY(mutex_) = "memory";
  uint64_t last_ ABSL_GUARDED_BY(mutex_) = 0;
  uint64_t hold_back_after_ ABSL_GUARDED_BY(mutex_) = UINT64_MAX;
  std::map<uint64_t, std::string> entries_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, uint64_t> ids_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_IN_MEMORY_FEED_H_
