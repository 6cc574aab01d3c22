#include "common/range_check.h"

#include "absl/strings/str_format.h"

namespace slice {

absl::Status CheckRanges(const std::string& prefix,
                         std::span<const RangedNumber> numbers) {
  for (const auto& [name, value, low, high] : numbers) {
    if (value >= low && value <= high) continue;
    return absl::InvalidArgumentError(
        absl::StrFormat("%s%s is %g; it must be from %g to %g", prefix, name,
                        value, low, high));
  }
  return absl::OkStatus();
}

}  // namespace slice
