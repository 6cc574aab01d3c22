#include "server/graph/awaited_versions.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/grpc_status.h"

namespace slice {
namespace {

constexpr absl::Duration kRetryDelay = absl::Milliseconds(100);

}  // namespace

absl::Status AwaitedVersions::Add(Wait wait) {
  MutexLock lock(&mutex_);
  if (IsFullFor(wait.host)) {
    return WithRetryDelay(
        absl::ResourceExhaustedError(
            absl::StrCat(waits_.size(),
                         " requests wait for a version of the graph already, "
                         "and one host may have as many as are free of ",
                         kMost)),
        kRetryDelay);
  }
  const uint64_t version = wait.version;
  waits_.emplace(version, std::move(wait));
  return absl::OkStatus();
}

bool AwaitedVersions::IsFullFor(uint64_t host) const {
  if (waits_.size() >= kMost) return true;
  if (host == 0) return false;
  const auto of_host = std::ranges::count_if(
      waits_, [&](const auto& one) { return one.second.host == host; });
  return static_cast<size_t>(of_host) >= kMost - waits_.size();
}

void AwaitedVersions::Advance(uint64_t version) {
  Waits done;
  {
    MutexLock lock(&mutex_);
    while (!waits_.empty() && waits_.begin()->first <= version)
      done.insert(waits_.extract(waits_.begin()));
  }
  for (const auto& [awaited, wait] : done) wait.ready(absl::OkStatus());
}

void AwaitedVersions::Expire(absl::Time now) {
  Waits done;
  {
    MutexLock lock(&mutex_);
    for (auto wait = waits_.begin(); wait != waits_.end();) {
      const auto next = std::next(wait);
      if (wait->second.deadline <= now || wait->second.cancelled()) {
        done.insert(waits_.extract(wait));
      }
      wait = next;
    }
  }
  for (const auto& [version, wait] : done) {
    wait.ready(wait.deadline > now
                   ? absl::CancelledError("the caller cancelled")
                   : absl::DeadlineExceededError(absl::StrCat(
                         "min_graph_version: the graph did not reach version ",
                         version, " before the deadline")));
  }
}

void AwaitedVersions::End(const absl::Status& status) {
  Waits done;
  {
    MutexLock lock(&mutex_);
    done.swap(waits_);
  }
  for (const auto& [version, wait] : done) wait.ready(status);
}

size_t AwaitedVersions::size() const {
  MutexLock lock(&mutex_);
  return waits_.size();
}

}  // namespace slice
