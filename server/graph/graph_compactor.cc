#include "server/graph/graph_compactor.h"

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "common/freed_memory.h"
#include "common/logging.h"
#include "common/status_macros.h"
#include "graphstore/graph_difference.h"
#include "server/scheduling/thread_priority.h"

namespace slice {
namespace {

constexpr absl::Duration kLookEvery = absl::Seconds(1);
constexpr absl::Duration kAfterFailure = absl::Minutes(1);
constexpr int kCompactorNiceness = 15;

}  // namespace

GraphCompactor::GraphCompactor(LiveGraph* live, Base base, double share)
    : live_(live), base_(std::move(base)), share_(share) {
  if (share_ > 0) thread_ = std::thread([this] { Run(); });
}

GraphCompactor::~GraphCompactor() {
  {
    MutexLock lock(&mutex_);
    closing_ = true;
    closed_.SignalAll();
  }
  if (thread_.joinable()) thread_.join();
}

bool GraphCompactor::IsDue() const {
  const double links = static_cast<double>(live_->Current()->link_count());
  return static_cast<double>(live_->state().changes_since_compaction) >=
         std::max(static_cast<double>(kLeastChanges), share_ * links);
}

void GraphCompactor::Run() {
  WorkInBackground(kCompactorNiceness);
  absl::Duration pause = kLookEvery;
  for (;;) {
    {
      MutexLock lock(&mutex_);
      if (!closing_) closed_.WaitFor(&mutex_, pause);
      if (closing_) return;
    }
    pause = kLookEvery;
    if (!IsDue()) continue;
    const absl::Status status = Compact().status();
    if (status.ok()) continue;
    LogError("the graph was not compacted: %s", std::string(status.message()));
    pause = kAfterFailure;
  }
}

absl::StatusOr<uint64_t> GraphCompactor::Compact() {
  auto version = CompactOnce();
  ReturnFreedMemory();  // of the graphs that it read and replaced
  return version;
}

absl::StatusOr<uint64_t> GraphCompactor::CompactOnce() {
  MutexLock one_at_a_time(&compacting_);
  const absl::Time start = absl::Now();
  const auto graph = live_->BeginCompaction();
  auto compact = graph->Compacted();
  auto base = base_();
  auto changes = base.ok()
                     ? ChangesBetween(**base, *compact)
                     : absl::StatusOr<std::vector<GraphChanges>>(base.status());
  base = absl::CancelledError("no longer needed");
  if (!changes.ok()) {
    live_->AbandonCompaction();
    return changes.status();
  }
  const uint64_t version = compact->graph_version();
  SLICE_RETURN_IF_ERROR(
      live_->EndCompaction(std::move(compact), *std::move(changes)));
  LogInfo("compacted the graph at version %d in %s", version,
          absl::FormatDuration(
              absl::Trunc(absl::Now() - start, absl::Milliseconds(1))));
  return version;
}

}  // namespace slice
