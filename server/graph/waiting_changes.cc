#include "server/graph/waiting_changes.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/grpc_status.h"

namespace slice {
namespace {

constexpr absl::Duration kRetryDelay = absl::Milliseconds(100);

}  // namespace

absl::Status WaitingChanges::Admit(uint64_t host, size_t changes) {
  if (changes == 0) return absl::OkStatus();
  const size_t left = kMost - std::min(kMost, count_);
  const auto of_host = of_host_.find(host);
  const size_t already = of_host == of_host_.end() ? 0 : of_host->second;
  if (changes > left || already + changes > left) {
    return WithRetryDelay(absl::ResourceExhaustedError(absl::StrCat(
                              "too many changes of the graph are waiting: ",
                              count_, " of ", kMost)),
                          kRetryDelay);
  }
  count_ += changes;
  of_host_[host] += changes;
  return absl::OkStatus();
}

void WaitingChanges::Release(uint64_t host, size_t changes) {
  if (changes == 0) return;
  count_ -= changes;
  const auto of_host = of_host_.find(host);
  of_host->second -= changes;
  if (of_host->second == 0) of_host_.erase(of_host);
}

}  // namespace slice
