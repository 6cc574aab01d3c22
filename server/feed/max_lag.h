// How far a replica may lag behind its feed and still be ready (--max-lag).
#ifndef SLICE_SERVER_FEED_MAX_LAG_H_
#define SLICE_SERVER_FEED_MAX_LAG_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/feed/feed_follower.h"

namespace slice {

// One of the two is set. Entries that wait are only known while the feed
// answers, so a replica that is cut off stays ready by that bound; by the time
// it does not.
struct MaxLag {
  std::optional<uint64_t> entries;
  std::optional<absl::Duration> time;  // since it was in step

  // Whether a replica in this state is ready. A feed that it cannot follow at
  // all makes it unready.
  bool Allows(const FollowerState& state) const;
};

// "1000" entries or "30s". INVALID_ARGUMENT names --max-lag.
absl::StatusOr<MaxLag> ParseMaxLag(const std::string& text);

}  // namespace slice

#endif  // SLICE_SERVER_FEED_MAX_LAG_H_
