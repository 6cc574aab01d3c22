#include "server/feed/awaited_updates.h"

#include <random>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace slice {
namespace {

std::string RandomPrefix() {
  std::random_device random;
  std::string prefix;
  for (int i = 0; i < 4; ++i)
    absl::StrAppend(&prefix, absl::Hex(random(), absl::kZeroPad8));
  return prefix;
}

}  // namespace

AwaitedUpdates::AwaitedUpdates() : prefix_(RandomPrefix()) {}

absl::StatusOr<std::string> AwaitedUpdates::Add(GraphUpdate& update,
                                                absl::Time now) {
  const auto changes = static_cast<size_t>(update.changes.size());
  MutexLock lock(&mutex_);
  SLICE_RETURN_IF_ERROR(waiting_.Admit(update.host, changes));
  std::string publication = absl::StrCat(prefix_, ".", ++next_);
  awaited_[publication] = {std::move(update.done), update.host, changes, now};
  return publication;
}

void AwaitedUpdates::Answer(const std::string& publication,
                            const absl::StatusOr<UpdateOutcome>& outcome) {
  Done done;
  {
    MutexLock lock(&mutex_);
    const auto found = awaited_.find(publication);
    if (found == awaited_.end()) return;
    done = std::move(found->second.done);
    waiting_.Release(found->second.host, found->second.changes);
    awaited_.erase(found);
  }
  if (done) done(outcome);
}

void AwaitedUpdates::GiveUp(absl::Time time, const absl::Status& why) {
  std::vector<std::string> late;
  {
    MutexLock lock(&mutex_);
    for (const auto& [publication, awaited] : awaited_) {
      if (awaited.since < time) late.push_back(publication);
    }
  }
  for (const std::string& publication : late) Answer(publication, why);
}

size_t AwaitedUpdates::changes() const {
  MutexLock lock(&mutex_);
  return waiting_.count();
}

}  // namespace slice
