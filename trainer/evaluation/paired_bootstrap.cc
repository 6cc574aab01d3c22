#include "trainer/evaluation/paired_bootstrap.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace slice {

void DrawRows(Random& random, DrawnRows& drawn) {
  const auto rows = static_cast<uint32_t>(drawn.size());
  std::fill(drawn.begin(), drawn.end(), uint16_t{0});
  for (uint32_t i = 0; i < rows; ++i) ++drawn[random.Below(rows)];
}

PercentileInterval::PercentileInterval(std::vector<double>& drawn,
                                       double confidence) {
  std::sort(drawn.begin(), drawn.end());
  const auto quantile = [&](double share) {
    return drawn[static_cast<size_t>(
        std::lround(share * static_cast<double>(drawn.size() - 1)))];
  };
  low = quantile((1 - confidence) / 2);
  high = quantile((1 + confidence) / 2);
}

SortedLinks::SortedLinks(std::span<const float> scores,
                         std::span<const uint8_t> labels,
                         std::span<const uint32_t> rows) {
  assert(scores.size() == labels.size() && scores.size() == rows.size());
  std::vector<uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), uint32_t{0});
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return scores[a] > scores[b];
  });
  for (const uint32_t i : order) {
    scores_.push_back(scores[i]);
    labels_.push_back(labels[i]);
    rows_.push_back(rows[i]);
  }
}

double SortedLinks::Auroc(const DrawnRows& drawn) const {
  double positives = 0, negatives = 0, ordered = 0;
  for (size_t i = 0; i < rows_.size();) {
    double tied_positives = 0, tied_negatives = 0;
    size_t end = i;
    for (; end < rows_.size() && scores_[end] == scores_[i]; ++end) {
      (labels_[end] != 0 ? tied_positives : tied_negatives) +=
          drawn[rows_[end]];
    }
    ordered += tied_negatives * (positives + tied_positives / 2);
    positives += tied_positives;
    negatives += tied_negatives;
    i = end;
  }
  return positives * negatives == 0 ? 0.5 : ordered / (positives * negatives);
}

}  // namespace slice
