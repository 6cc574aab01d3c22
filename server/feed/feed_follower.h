// Makes the versions of a graph from the entries of a change feed.
#ifndef SLICE_SERVER_FEED_FEED_FOLLOWER_H_
#define SLICE_SERVER_FEED_FEED_FOLLOWER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "server/feed/awaited_updates.h"
#include "server/feed/change_feed.h"
#include "server/feed/feed_entry_codec.h"
#include "server/graph/live_graph.h"

namespace slice {

struct FollowerState {
  bool connected = false;   // the feed answered last time
  uint64_t version = 0;     // of the graph here
  uint64_t known_last = 0;  // the last sequence of the feed, as far as known
  // Since the graph had every entry that the feed had; 0 while it has.
  absl::Duration since_in_step;
  // Why the feed cannot be followed at all: it lost entries, or it is another
  // one. OK otherwise, also while the feed is away.
  absl::Status problem;
  uint64_t consumed_entries = 0;
  uint64_t refused_entries = 0;  // that made a version without changes
  // How often another server had another state digest for a version.
  uint64_t digest_differences = 0;

  uint64_t entries_behind() const {
    return known_last > version ? known_last - version : 0;
  }
};

struct FollowerOptions {
  ChangeFeed* feed = nullptr;
  LiveGraph* live = nullptr;
  std::string base_digest;  // of the graph which the versions began with
  const Clock* clock = Clock::Real();
  // How long a problem must last to be one: just after a leader of the feed was
  // elected, it may not know its end yet.
  absl::Duration problem_patience = absl::Seconds(3);
};

// Thread-safe. One thread reads entries, has LiveGraph apply them in commits of
// many, and tells the publishers of this server what came of theirs. It begins
// after the version of the graph. When the feed goes away, it tries again and
// again.
class FeedFollower {
 public:
  // Feed, graph and `awaited` must outlive the follower.
  FeedFollower(const FollowerOptions& options, AwaitedUpdates* awaited);
  ~FeedFollower();
  FeedFollower(const FeedFollower&) = delete;
  FeedFollower& operator=(const FeedFollower&) = delete;

  // Waits until the graph has the entries that the feed had at the beginning.
  // The errors of FollowerState::problem. OK, with a warning in the log, when
  // the feed does not answer for `patience`.
  absl::Status WaitUntilInStep(absl::Duration patience);

  // The feed has an entry with this sequence.
  void NoteSequence(uint64_t sequence);

  FollowerState state() const;

 private:
  void Run();
  // Reads and applies until something goes wrong.
  absl::Status Follow();
  // Whether the feed goes on where the graph is. Notes its end.
  absl::Status CheckExtent();
  absl::Status ReadAndApply(FeedReader& reader);
  // How many of the entries were applied: at least one.
  absl::StatusOr<size_t> Apply(std::span<const FeedEntry> entries);
  void CompareDigests(const VersionDigest& theirs);
  void NoteContact(uint64_t known_last, bool progress);
  void NoteError(const absl::Status& error);
  // Returns false when the follower ends.
  bool Sleep(absl::Duration time);
  bool closing() const;

  const FollowerOptions options_;
  ChangeFeed* const feed_;  // of the options, as the next one
  LiveGraph* const live_;
  AwaitedUpdates* const awaited_;

  mutable Mutex mutex_;
  CondVar changed_;
  FollowerState state_ ABSL_GUARDED_BY(mutex_);
  absl::Time in_step_ ABSL_GUARDED_BY(mutex_);  // when it was last
  // The end of the feed at the beginning; unset until the feed answered.
  bool has_target_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t target_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Time problem_since_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteFuture();
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;

  std::thread thread_;
};

}  // namespace slice

#endif  // SLICE_SERVER_FEED_FEED_FOLLOWER_H_
