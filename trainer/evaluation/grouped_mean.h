// A mean with its standard error, where some values belong together.
#ifndef SLICE_TRAINER_EVALUATION_GROUPED_MEAN_H_
#define SLICE_TRAINER_EVALUATION_GROUPED_MEAN_H_

#include <cstdint>
#include <span>

namespace slice {

struct GroupedMean {
  // A gain must be this many standard errors to be clear. One is enough where
  // the gain was measured on rows that nothing was chosen by: to ask for two
  // left out what helped on a graph with 543 valid links (docs/model.md, What
  // orders candidates).
  static constexpr double kClear = 1;

  double mean = 0, error = 0;  // both 0 without values

  bool IsClearGain() const { return mean > 0 && mean > kClear * error; }
};

// The mean of `values`, and its standard error when the values of one group are
// one draw. `groups` are parallel to `values`.
GroupedMean MeanByGroup(std::span<const double> values,
                        std::span<const uint64_t> groups);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_GROUPED_MEAN_H_
