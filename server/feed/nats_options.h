// How the NATS client connects.
#ifndef SLICE_SERVER_FEED_NATS_OPTIONS_H_
#define SLICE_SERVER_FEED_NATS_OPTIONS_H_

#include "absl/status/statusor.h"
#include "server/feed/feed_address.h"
#include "server/feed/feed_settings.h"
#include "server/feed/nats_handles.h"

namespace slice {

// Options of a connection that is tried again for ever. INVALID_ARGUMENT names
// a setting that there is not, or whose value the library does not take.
absl::StatusOr<NatsOptions> MakeNatsOptions(const FeedAddress& address,
                                            const FeedSettings& settings);

}  // namespace slice

#endif  // SLICE_SERVER_FEED_NATS_OPTIONS_H_
