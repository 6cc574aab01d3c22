// The time limit of a training that goes round by round.
#ifndef SLICE_TRAINER_TRAINING_BUDGET_H_
#define SLICE_TRAINER_TRAINING_BUDGET_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace slice {

// Whether another round would end after `budget`, if it takes as long as the
// mean of the `rounds` so far, which took `spent` together. REQUIRES: rounds >
// 0.
inline bool IsBudgetSpent(absl::Duration budget, absl::Duration spent,
                          double rounds) {
  return spent + spent / rounds > budget;
}

// Why such a training ended: "the budget of 30m is spent".
inline std::string SpentBudgetText(absl::Duration budget) {
  return absl::StrCat("the budget of ", absl::FormatDuration(budget),
                      " is spent");
}

}  // namespace slice

#endif  // SLICE_TRAINER_TRAINING_BUDGET_H_
