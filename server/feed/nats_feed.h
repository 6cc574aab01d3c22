// A change feed in a NATS JetStream stream.
#ifndef SLICE_SERVER_FEED_NATS_FEED_H_
#define SLICE_SERVER_FEED_NATS_FEED_H_

#include <memory>

#include "absl/status/statusor.h"
#include "server/feed/change_feed.h"
#include "server/feed/feed_address.h"
#include "server/feed/feed_settings.h"

namespace slice {

// The stream must keep its messages until a limit is reached (retention
// "limits") and have one subject without wildcards. The stream counts the
// messages, so its sequence is that of the feed. INVALID_ARGUMENT when the
// client library does not take a setting; it is no error that no server can be
// reached. `settings`: user and password, or token, or credentials (a file);
// tls_ca, tls_cert and tls_key (PEM files).
absl::StatusOr<std::unique_ptr<ChangeFeed>> ConnectToNats(
    const FeedAddress& address, const FeedSettings& settings);

}  // namespace slice

#endif  // SLICE_SERVER_FEED_NATS_FEED_H_
