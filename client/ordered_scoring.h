// Scores a long list of links over several calls at once, in order.
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
  // Calls under way at once. Answers that wait for an earlier one are of at
  // most so many times chunk_links links.
  size_t calls_in_flight = 4;
  // So many calls for a single link in a row, none of them answered, end it:
  // the server does nothing for us at all. Above 0.
  size_t max_lost_links = 8;
  // Told the size of calls when it has changed, from the calling thread; may be
  // empty.
  std::function<void(size_t links)> resized = {};
  // Times the calls; replaced in tests. Must outlive the run.
  const Clock* clock = Clock::Real();
};

// Scores `count` links and hands the answers to `accept` from the calling
// thread: piece by piece, in order, each link once; `first` is the position of
// the piece's first link. `link_at` is called from several threads.
//
// A server too slow, or too full, for the calls is asked for less at a time: a
// call that ends with DEADLINE_EXCEEDED or RESOURCE_EXHAUSTED, after the
// retries of the client, halves the size of calls, and its links are asked for
// again. The size grows back while calls are quick (RequestSize). A single link
// that ends so has that as its own status, and the run goes on.
//
// A list of more links than an interactive request may have is bulk work, in
// calls of any size.
//
// Ends with the status of the first call that fails otherwise or that `accept`
// refuses, or of max_lost_links single links in a row, after the links before
// it were accepted.
absl::Status ScoreInOrder(
    const LinkClient& client, const PipelineOptions& options, size_t count,
    const std::function<LinkQuery(size_t)>& link_at,
    const std::function<absl::Status(size_t first, const ScoredLinks& scored)>&
        accept);

}  // namespace slice

#endif  // SLICE_CLIENT_ORDERED_SCORING_H_
