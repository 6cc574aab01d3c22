// The time limit of a training that proceeds in rounds, such as epochs.
#ifndef SLICE_TRAINER_TRAINING_BUDGET_H_
#define SLICE_TRAINER_TRAINING_BUDGET_H_

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace slice {

// Whether one more round would exceed `budget`. The `rounds` so far took
// `spent` together; the next one is assumed to take their mean. REQUIRES:
// rounds > 0.
inline bool IsBudgetSpent(absl::Duration budget, absl::Duration spent,
                          double rounds) {
  return spent + spent / rounds > budget;
}

// Why such a training ended: "the budget of 30m is spent".
inline std::string SpentBudgetText(absl::Duration budget) {
  return absl::StrCat("the budget of ", absl::FormatDuration(budget),
                      " is spent");
}

// Whether `text` says that a budget, of whatever length, ended a training or a
// part of it. More words may follow.
inline bool IsSpentBudgetText(absl::string_view text) {
  return absl::StartsWith(text, "the budget of ");
}

}  // namespace slice

#endif  // SLICE_TRAINER_TRAINING_BUDGET_H_
