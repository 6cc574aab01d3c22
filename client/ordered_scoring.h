// Scores a long list of links with several calls at once, and passes the
// answers on in the order of the list.
#ifndef SLICE_CLIENT_ORDERED_SCORING_H_
#define SLICE_CLIENT_ORDERED_SCORING_H_

#include <cstddef>
#include <functional>

#include "absl/status/status.h"
#include "client/link_client.h"
#include "common/clock.h"

namespace slice {

struct PipelineOptions {
  // The most links of one call. Above 0.
  size_t chunk_links = 512;
  // The most calls under way at once. Above 0. The answers that wait for an
  // earlier answer hold at most calls_in_flight * chunk_links links together.
  size_t calls_in_flight = 4;
  // ScoreInOrder gives up when this many calls for a single link fail in a row,
  // because the server then answers nothing. Above 0.
  size_t max_lost_links = 8;
  // Changes of the graph that all calls imagine.
  WhatIfQuery what_if = {};
  // Called with the new number of links per call whenever this number changes,
  // by the thread that runs ScoreInOrder. May be empty.
  std::function<void(size_t links)> resized = {};
  // Measures the time of calls; replaced in tests. Must outlive the call of
  // ScoreInOrder.
  const Clock* clock = Clock::Real();
};

// Scores the links link_at(0) to link_at(count - 1). Passes the answers to
// `accept` in order, each link once, several links at a time; `first` is the
// position of the first of them. `accept` runs in the calling thread; `link_at`
// runs in several threads.
//
// Calls become smaller when the server is too slow or too full for them. When a
// call ends with DEADLINE_EXCEEDED or RESOURCE_EXHAUSTED, after the retries of
// the client, the number of links per call is halved and the links of the call
// are sent again. The number grows back while calls are quick
// (client/request_size.h). When such a call had a single link, that link gets
// the error as its status, and the scoring goes on.
//
// A list of more than 64 links is sent as bulk work, even where its calls have
// fewer links.
//
// Returns OK when every link was accepted. Otherwise returns the first error,
// after the links before it were accepted. It is an error of `accept`, any
// other error of a call, or the error of the last of max_lost_links single
// links that failed in a row.
absl::Status ScoreInOrder(
    const LinkClient& client, const PipelineOptions& options, size_t count,
    const std::function<LinkQuery(size_t)>& link_at,
    const std::function<absl::Status(size_t first, const ScoredLinks& scored)>&
        accept);

}  // namespace slice

#endif  // SLICE_CLIENT_ORDERED_SCORING_H_
