// Between updates of a graph and the bytes of a feed's entries
// (proto/slice/v1/change_feed.proto).
#ifndef SLICE_SERVER_FEED_FEED_ENTRY_CODEC_H_
#define SLICE_SERVER_FEED_FEED_ENTRY_CODEC_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "server/feed/change_feed.h"
#include "server/graph/live_graph.h"

namespace slice {

// The state digest of a version of a graph. Comparable for graphs that began as
// the same base.
struct VersionDigest {
  std::string base_digest;
  uint64_t version = 0;
  std::string digest;
};

std::string EncodeEntry(const GraphUpdate& update,
                        const std::string& publication,
                        const VersionDigest& state);

// The same for equal changes of one writer and sequence, and only for them.
std::string MessageIdOf(const GraphUpdate& update);

struct DecodedEntry {
  // With the entry's sequence as its feed_version. Without changes when the
  // entry cannot be applied to any graph.
  GraphUpdate update;
  absl::Status refused;     // why
  std::string publication;  // may be empty
  VersionDigest state;      // of the publisher; may be empty
};

DecodedEntry DecodeEntry(const FeedEntry& entry);

}  // namespace slice

#endif  // SLICE_SERVER_FEED_FEED_ENTRY_CODEC_H_
