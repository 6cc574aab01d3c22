#include "server/feed/max_lag.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/did_you_mean.h"

namespace slice {

bool MaxLag::Allows(const FollowerState& state) const {
  if (!state.problem.ok()) return false;
  if (entries.has_value()) return state.entries_behind() <= *entries;
  return !time.has_value() || state.since_in_step <= *time;
}

absl::StatusOr<MaxLag> ParseMaxLag(const std::string& text) {
  MaxLag lag;
  uint64_t entries = 0;
  absl::Duration time;
  if (absl::SimpleAtoi(text, &entries)) {
    lag.entries = entries;
    return lag;
  }
  if (absl::ParseDuration(text, &time) && time > absl::ZeroDuration()) {
    lag.time = time;
    return lag;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "--max-lag: ", Quoted(text),
      " is neither a number of entries, such as 1000, nor a time, such as "
      "30s"));
}

}  // namespace slice
