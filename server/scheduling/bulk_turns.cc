#include "server/scheduling/bulk_turns.h"

#include <sched.h>

#include <algorithm>
#include <utility>

namespace slice {
namespace {

// Interactive requests count as coming in while the last one is no older than
// this. It is also the most waiting time that a thread saves up (may_wait_).
constexpr absl::Duration kRecently = absl::Milliseconds(20);

}  // namespace

BulkTurns::BulkTurns(const Clock* clock, double share,
                     std::function<void()> yield)
    : clock_(clock),
      waits_per_run_((1 - share) / share),
      yield_(yield ? std::move(yield) : [] { sched_yield(); }),
      start_(clock->Now()) {}

void BulkTurns::End(uint64_t interactive_requests) {
  const absl::Time end = clock_->Now();
  may_wait_ = std::min(may_wait_ + (end - start_) * waits_per_run_, kRecently);
  if (!InteractiveComes(interactive_requests, end)) return;
  if (may_wait_ <= absl::ZeroDuration()) return;
  yield_();
  may_wait_ -= clock_->Now() - end;
}

bool BulkTurns::InteractiveComes(uint64_t requests, absl::Time now) {
  if (requests != requests_) {
    requests_ = requests;
    last_request_ = now;
  }
  return now - last_request_ <= kRecently;
}

}  // namespace slice
