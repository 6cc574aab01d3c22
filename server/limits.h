// The limits of the wire contract: what a caller may send and what it gets.
// A request beyond one of them is refused before any work is done for it. The
// limits that an operator may change are flags (server/server_options.h).
#ifndef SLICE_SERVER_LIMITS_H_
#define SLICE_SERVER_LIMITS_H_

#include <cstddef>

namespace slice {

// PredictLinks and StreamPredictLinks.
inline constexpr int kMaxLinksPerRequest = 1024;
// A request that names no class and has more links than this is bulk work.
inline constexpr int kMaxInteractiveLinks = 64;
// How many requests of one stream may be read before their answers are sent. At
// this number the server reads no further, so that a client that does not read
// its answers takes only a bounded part of the server.
inline constexpr size_t kMaxStreamRequests = 16;

// RecommendLinks.
inline constexpr int kMaxRecommendations = 1000;
inline constexpr int kDefaultRecommendations = 10;
inline constexpr int kMaxRecommendCandidates = 10000;
// A prior is from this to one minus this.
inline constexpr double kLeastPrior = 1e-9;

// The changes of a what-if question, and of a request that changes the graph.
inline constexpr int kMaxWhatIfChanges = 64;
inline constexpr int kMaxUpdateChanges = 10000;

// Pages of FindNodes and GetNeighbors.
inline constexpr int kMaxPageSize = 1000;
inline constexpr int kDefaultFindPageSize = 20;
inline constexpr int kDefaultNeighborsPageSize = 100;

// The most bytes of a key, name, type, relation, prefix or other text in a
// request.
inline constexpr size_t kMaxTextBytes = 1024;
// The most bytes of a method's name that an error message repeats, because
// messages travel in a trailer of at most 8 KiB.
inline constexpr size_t kMaxQuotedBytes = 120;

// The most bytes of a request and of a reply.
inline constexpr int kMaxReceiveBytes = 4 << 20;
inline constexpr int kMaxSendBytes = 16 << 20;
// gRPC itself refuses a request of more bytes than this, unread and with
// RESOURCE_EXHAUSTED. The limit is above kMaxReceiveBytes, so that most
// oversized requests get an answer that names the field at fault.
inline constexpr int kMaxTransportBytes = 2 * kMaxReceiveBytes;

// The most calls that one connection may have open.
inline constexpr int kMaxConcurrentStreams = 128;
// The same before the client has acknowledged that number
// (common/early_streams.h).
inline constexpr int kMaxEarlyStreams = 4 * kMaxConcurrentStreams;
// The most open Watch streams of grpc.health.v1.Health: of all hosts together,
// and of one host.
inline constexpr size_t kMaxWatchStreams = 1024;
inline constexpr size_t kMaxWatchStreamsOfHost = 128;

}  // namespace slice

#endif  // SLICE_SERVER_LIMITS_H_
