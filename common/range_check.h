// The check of the numbers in a struct of options.
#ifndef SLICE_COMMON_RANGE_CHECK_H_
#define SLICE_COMMON_RANGE_CHECK_H_

#include <span>
#include <string>

#include "absl/status/status.h"

namespace slice {

// A number with its name and the range that it must be in, both ends included.
struct RangedNumber {
  const char* name;
  double value, low, high;
};

// INVALID_ARGUMENT for the first number outside of its range, such as "--folds
// is 1; it must be from 2 to 100" with the prefix "--". NaN is in no range.
absl::Status CheckRanges(const std::string& prefix,
                         std::span<const RangedNumber> numbers);

}  // namespace slice

#endif  // SLICE_COMMON_RANGE_CHECK_H_
