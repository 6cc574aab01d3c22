// The address of a change feed, as --feed names it.
#ifndef SLICE_SERVER_FEED_FEED_ADDRESS_H_
#define SLICE_SERVER_FEED_FEED_ADDRESS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace slice {

// nats://HOST[:PORT][,HOST[:PORT]...]/STREAM[?replicas=N] or
// kafka://HOST[:PORT][,HOST[:PORT]...]/TOPIC.
struct FeedAddress {
  enum class Kind { kNats, kKafka };

  Kind kind = Kind::kNats;
  std::vector<std::string> servers;  // HOST:PORT
  std::string stream;                // or the topic
  // With how many copies the stream is made when it is missing; 0: it must be
  // there.
  int replicas = 0;

  // The address in its one spelling, without `replicas`.
  std::string Name() const;
};

// INVALID_ARGUMENT says what is wrong and shows an address that is right.
absl::StatusOr<FeedAddress> ParseFeedAddress(const std::string& text);

}  // namespace slice

#endif  // SLICE_SERVER_FEED_FEED_ADDRESS_H_
