// An ordered log outside of the server, from which any number of servers make
// the same versions of a graph: a NATS JetStream stream or a Kafka topic.
#ifndef SLICE_SERVER_FEED_CHANGE_FEED_H_
#define SLICE_SERVER_FEED_CHANGE_FEED_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace slice {

// Sequences count the entries of a feed: 1, 2, and so on without gaps.
struct FeedEntry {
  uint64_t sequence = 0;
  std::string bytes;
};

// The entries that a feed holds now. It may have dropped old ones.
struct FeedExtent {
  uint64_t first = 1;  // last + 1 when there are none
  uint64_t last = 0;
  // Tells this feed from one that was made later under its name.
  std::string identity;
};

struct Published {
  uint64_t sequence = 0;
  // The feed has the message from an earlier call; `sequence` is where.
  bool duplicate = false;
};

// Reads entries in order. Thread-compatible.
class FeedReader {
 public:
  virtual ~FeedReader() = default;

  // Appends the next entries, at most `most`, to `entries`. Waits up to
  // `timeout` for the first and not at all for the others; none is no error.
  // UNAVAILABLE when the feed went away; then make another reader.
  virtual absl::Status Read(size_t most, absl::Duration timeout,
                            std::vector<FeedEntry>* entries) = 0;
  // The last sequence of the feed, as far as the entries read so far tell.
  virtual uint64_t known_last() const = 0;
};

// Thread-safe. Methods wait for the network, for seconds at most. An object
// connects by itself, again and again; while it cannot, its methods return
// UNAVAILABLE.
class ChangeFeed {
 public:
  virtual ~ChangeFeed() = default;

  // Appends an entry; when it returns OK the feed has stored the entry. A feed
  // may know `message_id` from a call before, and then stores nothing.
  // UNAVAILABLE when it is not known whether the entry was stored;
  // INVALID_ARGUMENT when the feed takes no entry of this size.
  virtual absl::StatusOr<Published> Publish(const std::string& bytes,
                                            const std::string& message_id) = 0;

  // NOT_FOUND, with the way out, when there is no such stream or topic;
  // FAILED_PRECONDITION when it cannot count versions.
  virtual absl::StatusOr<FeedExtent> Extent() = 0;

  // A reader whose first entry is `sequence`. It must not outlive the feed.
  virtual absl::StatusOr<std::unique_ptr<FeedReader>> ReadFrom(
      uint64_t sequence) = 0;

  virtual bool connected() const = 0;
  // The address for messages, without secrets.
  virtual const std::string& name() const = 0;
};

}  // namespace slice

#endif  // SLICE_SERVER_FEED_CHANGE_FEED_H_
