#include "server/feed/feed_connection.h"

#include "common/status_macros.h"
#include "server/feed/feed_address.h"
#include "server/feed/feed_settings.h"
#include "server/feed/kafka_feed.h"
#include "server/feed/nats_feed.h"

namespace slice {

absl::StatusOr<std::unique_ptr<ChangeFeed>> ConnectToFeed(
    const std::string& address, const std::filesystem::path& settings_file) {
  SLICE_ASSIGN_OR_RETURN(const FeedAddress parsed, ParseFeedAddress(address));
  SLICE_ASSIGN_OR_RETURN(const FeedSettings settings,
                         ReadFeedSettings(settings_file));
  return parsed.kind == FeedAddress::Kind::kNats
             ? ConnectToNats(parsed, settings)
             : ConnectToKafka(parsed, settings);
}

}  // namespace slice
