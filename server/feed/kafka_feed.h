// A change feed in a Kafka topic.
#ifndef SLICE_SERVER_FEED_KAFKA_FEED_H_
#define SLICE_SERVER_FEED_KAFKA_FEED_H_

#include <memory>

#include "absl/status/statusor.h"
#include "server/feed/change_feed.h"
#include "server/feed/feed_address.h"
#include "server/feed/feed_settings.h"

namespace slice {

// The topic must have one partition, no compaction and no transactions, so that
// offsets have no gaps; the sequence of an entry is its offset + 1. Kafka knows
// a message again only while one producer repeats it by itself, so Publish
// finds no duplicates. INVALID_ARGUMENT when librdkafka does not take a
// setting; it is no error that no broker can be reached.
absl::StatusOr<std::unique_ptr<ChangeFeed>> ConnectToKafka(
    const FeedAddress& address, const FeedSettings& settings);

}  // namespace slice

#endif  // SLICE_SERVER_FEED_KAFKA_FEED_H_
