#include "trainer/report/score_histogram.h"

#include <algorithm>

namespace slice {

SplitHistogram MakeSplitHistogram(std::span<const float> values,
                                  std::span<const uint8_t> labels, int bins) {
  SplitHistogram histogram;
  histogram.positives.resize(bins);
  histogram.negatives.resize(bins);
  if (values.empty()) return histogram;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least < 0 || *most > 1) {
    histogram.lower = *least;
    histogram.upper = *most > *least ? *most : *least + 1.0;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const double part =
        (values[i] - histogram.lower) / (histogram.upper - histogram.lower);
    const int bin = std::clamp(static_cast<int>(part * bins), 0, bins - 1);
    ++(labels[i] ? histogram.positives : histogram.negatives)[bin];
  }
  return histogram;
}

double Overlap(const SplitHistogram& histogram) {
  double positives = 0, negatives = 0, shared = 0;
  for (const uint64_t count : histogram.positives) positives += count;
  for (const uint64_t count : histogram.negatives) negatives += count;
  if (positives == 0 || negatives == 0) return 0;
  for (size_t i = 0; i < histogram.positives.size(); ++i) {
    shared += std::min(histogram.positives[i] / positives,
                       histogram.negatives[i] / negatives);
  }
  return shared;
}

}  // namespace slice
