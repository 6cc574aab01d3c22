// Opens the change feed that the flags name.
#ifndef SLICE_SERVER_FEED_FEED_CONNECTION_H_
#define SLICE_SERVER_FEED_FEED_CONNECTION_H_

#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/feed/change_feed.h"

namespace slice {

// INVALID_ARGUMENT for a wrong address or setting. It is no error that the feed
// cannot be reached.
absl::StatusOr<std::unique_ptr<ChangeFeed>> ConnectToFeed(
    const std::string& address, const std::filesystem::path& settings_file);

}  // namespace slice

#endif  // SLICE_SERVER_FEED_FEED_CONNECTION_H_
