// Histograms of scores, links and non-links apart.
#ifndef SLICE_TRAINER_REPORT_SCORE_HISTOGRAM_H_
#define SLICE_TRAINER_REPORT_SCORE_HISTOGRAM_H_

#include <cstdint>
#include <span>
#include <vector>

namespace slice {

// Counts in equal bins over [lower, upper], links and non-links apart.
struct SplitHistogram {
  double lower = 0;
  double upper = 1;
  std::vector<uint64_t> positives, negatives;  // [bins] each
};

// Counts `values` in `bins` equal bins over their range, or over [0, 1] when
// all of them lie in it. `labels` are parallel, 1 for a link.
SplitHistogram MakeSplitHistogram(std::span<const float> values,
                                  std::span<const uint8_t> labels,
                                  int bins = 40);

// The area that the distributions of links and non-links share when each has
// area 1: 0 when they are apart, 1 when they are equal.
double Overlap(const SplitHistogram& histogram);

}  // namespace slice

#endif  // SLICE_TRAINER_REPORT_SCORE_HISTOGRAM_H_
