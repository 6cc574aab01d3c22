// Scores a long list of links over several calls at once, in order.
#ifndef SLICE_CLIENT_LINK_PIPELINE_H_
#define SLICE_CLIENT_LINK_PIPELINE_H_

#include <cstddef>
#include <functional>

#include "absl/status/status.h"
#include "client/link_client.h"

namespace slice {

struct PipelineOptions {
  // Links in one call.
  size_t chunk_links = 512;
  // Calls under way at once; also how many answers may wait for an earlier one.
  size_t calls_in_flight = 4;
};

// Scores `count` links and hands the answers to `accept` from the calling
// thread: chunk by chunk, in order, each link once; `first` is the position of
// the chunk's first link. `link_at` is called from several threads.
//
// Ends with the status of the first chunk whose call fails or that `accept`
// refuses, after the chunks before it were accepted. Holds at most
// calls_in_flight chunks.
absl::Status ScoreInOrder(
    const LinkClient& client, const PipelineOptions& options, size_t count,
    const std::function<LinkQuery(size_t)>& link_at,
    const std::function<absl::Status(size_t first, const ScoredLinks& scored)>&
        accept);

}  // namespace slice

#endif  // SLICE_CLIENT_LINK_PIPELINE_H_
