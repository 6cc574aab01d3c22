// What a change feed needs beyond its address: who we are, and TLS.
#ifndef SLICE_SERVER_FEED_FEED_SETTINGS_H_
#define SLICE_SERVER_FEED_FEED_SETTINGS_H_

#include <filesystem>
#include <map>
#include <string>

#include "absl/status/statusor.h"

namespace slice {

using FeedSettings = std::map<std::string, std::string>;

// Reads lines "name = value"; a line that begins with # says nothing. The names
// are those of NATS (server/feed/nats_feed.h) or of librdkafka.
// INVALID_ARGUMENT with the line that is wrong; the errors of ReadFile; none
// for an empty path.
absl::StatusOr<FeedSettings> ReadFeedSettings(
    const std::filesystem::path& file);

}  // namespace slice

#endif  // SLICE_SERVER_FEED_FEED_SETTINGS_H_
