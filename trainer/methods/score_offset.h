// The score at which a link is as likely as not.
#ifndef SLICE_TRAINER_METHODS_SCORE_OFFSET_H_
#define SLICE_TRAINER_METHODS_SCORE_OFFSET_H_

#include <cstdint>
#include <span>

namespace slice {

// The offset b that minimises the log loss of sigmoid((score - b) / t) over all
// b and t > 0 (Platt, 1999), found by Newton's method. The targets are those of
// Platt, which are never 0 or 1. Returns 0 when there are no scores, all are
// equal, or a higher score does not make a link likelier.
double FitScoreOffset(std::span<const float> scores,
                      std::span<const uint8_t> labels);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_SCORE_OFFSET_H_
