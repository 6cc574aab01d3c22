// Measures how fast the forward passes of a network are on this machine. Which
// one is the fastest depends on the processor.
#ifndef SLICE_MODEL_FORWARD_TIMING_H_
#define SLICE_MODEL_FORWARD_TIMING_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "model/forward_pass.h"
#include "model/made_up_links.h"

namespace slice {

// The duration of the shortest run of one pass over one batch.
struct ForwardTiming {
  ForwardPath path = ForwardPath::kAuto;
  int64_t contexts = 0;  // in the batch
  absl::Duration duration;
};

// Times each pass on the same made-up batches of 1, 8 and 64 contexts with 2 to
// 14 tokens. The passes take turns until `budget` is spent. Each runs every
// batch at least twice; the first run does not count. The result is sorted by
// batch size, then in the order of `passes`. Returns the errors of
// ForwardPass::Run.
absl::StatusOr<std::vector<ForwardTiming>> TimeForwardPasses(
    std::span<const ForwardPass* const> passes, const MadeUpBounds& bounds,
    absl::Duration budget, const Clock& clock = *Clock::Real());

// The path whose durations have the least geometric mean over the batch sizes.
// In a tie, the path that comes first in `timings`. REQUIRES: `timings` is not
// empty.
ForwardPath FastestPath(std::span<const ForwardTiming> timings);

}  // namespace slice

#endif  // SLICE_MODEL_FORWARD_TIMING_H_
