// Where the scores of a method have their middle.
#ifndef SLICE_TRAINER_METHODS_SCORE_OFFSET_H_
#define SLICE_TRAINER_METHODS_SCORE_OFFSET_H_

#include <cstdint>
#include <span>

namespace slice {

// The offset b of the least log loss of sigmoid((score - b) / t) over all b and
// t > 0, by Newton's method (Platt, 1999, with his targets, which are never 0
// or 1). 0 when a higher score makes no link likelier, or nothing is given.
double FitScoreOffset(std::span<const float> scores,
                      std::span<const uint8_t> labels);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_SCORE_OFFSET_H_
