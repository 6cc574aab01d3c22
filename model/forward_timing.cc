#include "model/forward_timing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "common/status_macros.h"

namespace slice {
namespace {

constexpr int64_t kBatchSizes[] = {1, 8, 64};
constexpr size_t kShortest = 2, kLongest = 14;  // tokens

ContextBatch MadeUpBatch(const MadeUpBounds& bounds, int64_t contexts) {
  std::vector<EncodedLink> links;
  for (int64_t i = 0; i < contexts; ++i) {
    // The first context, which is alone in the batch of one, has the middle
    // length.
    const size_t tokens =
        kShortest + (static_cast<size_t>(i) + (kLongest - kShortest) / 2) %
                        (kLongest - kShortest + 1);
    links.push_back(MadeUpLink(bounds, tokens, static_cast<uint64_t>(i)));
  }
  std::vector<const EncodedLink*> pointers;
  for (const EncodedLink& link : links) pointers.push_back(&link);
  return ContextBatch::Assemble(pointers);
}

absl::StatusOr<absl::Duration> TimeRun(const ForwardPass& pass,
                                       const ContextBatch& batch,
                                       const Clock& clock) {
  const absl::Time start = clock.Now();
  SLICE_RETURN_IF_ERROR(pass.Run(batch, /*with_attention=*/false).status());
  return clock.Now() - start;
}

}  // namespace

absl::StatusOr<std::vector<ForwardTiming>> TimeForwardPasses(
    std::span<const ForwardPass* const> passes, const MadeUpBounds& bounds,
    absl::Duration budget, const Clock& clock) {
  std::vector<ContextBatch> batches;
  std::vector<ForwardTiming> timings;
  for (const int64_t contexts : kBatchSizes) {
    batches.push_back(MadeUpBatch(bounds, contexts));
    for (const ForwardPass* pass : passes) {
      timings.push_back({pass->path(), contexts, absl::InfiniteDuration()});
    }
  }
  const absl::Time end = clock.Now() + budget;
  for (int round = 0; round < 2 || clock.Now() < end; ++round) {
    for (size_t i = 0; i < timings.size(); ++i) {
      SLICE_ASSIGN_OR_RETURN(const absl::Duration duration,
                             TimeRun(*passes[i % passes.size()],
                                     batches[i / passes.size()], clock));
      if (round > 0) {
        timings[i].duration = std::min(timings[i].duration, duration);
      }
    }
  }
  return timings;
}

ForwardPath FastestPath(std::span<const ForwardTiming> timings) {
  std::map<ForwardPath, double> log_durations;
  for (const ForwardTiming& timing : timings) {
    log_durations[timing.path] +=
        std::log(absl::ToDoubleSeconds(timing.duration));
  }
  ForwardPath fastest = timings.front().path;
  for (const ForwardTiming& timing : timings) {
    if (log_durations[timing.path] < log_durations[fastest]) {
      fastest = timing.path;
    }
  }
  return fastest;
}

}  // namespace slice
