// Scores a long list of links by several calls at once, and accepts the answers
// in order.
#ifndef SLICE_CLIENT_ORDERED_SCORING_H_
#define SLICE_CLIENT_ORDERED_SCORING_H_

#include <cstddef>
#include <functional>

#include "absl/status/status.h"
#include "client/link_client.h"
#include "common/clock.h"

namespace slice {

struct PipelineOptions {
  // Most links in one call.
  size_t chunk_links = 512;
  // Most calls under way at once. Answers that wait for an earlier answer hold
  // at most calls_in_flight * chunk_links links.
  size_t calls_in_flight = 4;
  // The run ends when this many calls for a single link fail in a row: the
  // server answers nothing. Above 0.
  size_t max_lost_links = 8;
  // Called with the new number of links per call whenever it changes, by the
  // thread that runs ScoreInOrder. May be empty.
  std::function<void(size_t links)> resized = {};
  // Measures the time of calls; replaced in tests. Must outlive the run.
  const Clock* clock = Clock::Real();
};

// Scores `count` links and passes the answers to `accept`: in order, each link
// once, a piece at a time; `first` is the position of the piece's first link.
// `accept` runs in the calling thread; `link_at` runs in several threads.
//
// Calls become smaller when the server is too slow or too full for them. A call
// that ends with DEADLINE_EXCEEDED or RESOURCE_EXHAUSTED, after the retries of
// the client, halves the number of links per call, and its links are sent
// again. The number grows back while calls are quick (client/request_size.h). A
// call for a single link that ends so gives that link the error as its status,
// and the run goes on.
//
// A list that is longer than an interactive request may be is sent as bulk
// work, whatever the size of its calls.
//
// Returns OK when every link is accepted. Otherwise returns the first error,
// after the links before it were accepted: another error of a call, the error
// of `accept`, or that of max_lost_links single links in a row.
absl::Status ScoreInOrder(
    const LinkClient& client, const PipelineOptions& options, size_t count,
    const std::function<LinkQuery(size_t)>& link_at,
    const std::function<absl::Status(size_t first, const ScoredLinks& scored)>&
        accept);

}  // namespace slice

#endif  // SLICE_CLIENT_ORDERED_SCORING_H_
