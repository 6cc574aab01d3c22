// Whether the structural scorer reads walk features.
#ifndef SLICE_TRAINER_FIT_WALK_CHOICE_H_
#define SLICE_TRAINER_FIT_WALK_CHOICE_H_

#include <array>
#include <cstddef>
#include <string>

#include "model/prediction.h"
#include "trainer/fit/learning_inputs.h"

namespace slice {

struct WalkChoice {
  bool used = false;
  std::string reason;  // for the report
  std::string fingerprint;

  // Takes the walk features out of `inputs` unless they are used.
  void ApplyTo(LearningInputs& inputs) const;
};

// AUROCs on valid, by question.
using QuestionAurocs = std::array<double, kQuestions>;

// Takes walk features if the mean AUROC of both questions is higher with them:
// by .001, which is twice what another seed changes, and by 0.1 /
// sqrt(valid_rows).
WalkChoice ChooseWalks(const QuestionAurocs& without,
                       const QuestionAurocs& with, size_t valid_rows);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_WALK_CHOICE_H_
