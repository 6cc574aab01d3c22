// A paired bootstrap: rows are drawn again with replacement, for all scorers
// alike, so that the differences between scorers are measured on the same rows
// (Efron and Tibshirani, An Introduction to the Bootstrap, 1993).
#ifndef SLICE_TRAINER_EVALUATION_PAIRED_BOOTSTRAP_H_
#define SLICE_TRAINER_EVALUATION_PAIRED_BOOTSTRAP_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/random.h"

namespace slice {

// How often each row was drawn; a draw is as large as the rows are many.
using DrawnRows = std::vector<uint16_t>;

// Draws rows [0, drawn.size()) anew.
void DrawRows(Random& random, DrawnRows& drawn);

// The percentile interval of drawn values at a confidence such as 0.95.
struct PercentileInterval {
  // Sorts `drawn`. REQUIRES: it is not empty.
  PercentileInterval(std::vector<double>& drawn, double confidence);

  double low, high;
};

// Links sorted by the scores of one scorer, the highest first. A draw is a
// count per row, so its AUROC is one pass over the sorted links.
class SortedLinks {
 public:
  // `rows[i]` is the row that link i is drawn with: a positive and the negative
  // that was made from it share one. All spans are parallel. REQUIRES: no score
  // is NaN.
  SortedLinks(std::span<const float> scores, std::span<const uint8_t> labels,
              std::span<const uint32_t> rows);

  // The AUROC when link i counts as often as its row was drawn; a tie counts
  // one half. 0.5 when a class is missing.
  double Auroc(const DrawnRows& drawn) const;

 private:
  std::vector<float> scores_;
  std::vector<uint8_t> labels_;
  std::vector<uint32_t> rows_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_PAIRED_BOOTSTRAP_H_
