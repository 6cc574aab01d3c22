// Finds the questions whose candidates are hard to tell apart: what the scorers
// with contexts are asked when a server ranks.
#ifndef SLICE_TRAINER_FIT_HARD_QUESTIONS_H_
#define SLICE_TRAINER_FIT_HARD_QUESTIONS_H_

#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/fit/learning_inputs.h"
#include "trainer/fit/structural_step.h"
#include "trainer/learning/ranking_lists.h"

namespace slice {

// Asks for one end of each of `positives`, the target or the source in turn.
// The rivals of a question are the `most_rivals` candidates that the structural
// scorer ranks highest. It ranks as a server of the training graph does, which
// knows the links of `positives`; only the choice of rivals follows from that.
// Returns the errors of the scorer.
absl::StatusOr<std::vector<HardQuestion>> FindHardQuestions(
    const LearningInputs& inputs, const StructuralScorer& structural,
    std::vector<Link> positives, size_t most_rivals);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_HARD_QUESTIONS_H_
