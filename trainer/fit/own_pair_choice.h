// The choice of FitOptions::own_pair_links: whether a question hides all links
// between its two ends, or the asked link alone.
#ifndef SLICE_TRAINER_FIT_OWN_PAIR_CHOICE_H_
#define SLICE_TRAINER_FIT_OWN_PAIR_CHOICE_H_

#include <array>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "context/own_pair_links.h"
#include "model/prediction.h"
#include "trainer/fit/fit_options.h"

namespace slice {

struct OwnPairChoice {
  OwnPairLinks links = OwnPairLinks::kHide;
  std::string reason;  // for the report
  std::string fingerprint;

  // Sets what `options` leave open.
  void ApplyTo(FitOptions* options) const;
};

// How good a model is on valid.
struct OwnPairFigures {
  std::array<double, kQuestions> auroc = {};
  double mrr = 0;  // filtered, both directions; of `questions` questions
  size_t questions = 0;
  size_t rows = 0;  // of valid, behind the AUROCs
};

// Whether the choice is open, and made by measurements on valid. A warm start
// takes that of its bundle; the paper's presets, and runs that plant a leak,
// hide.
bool DecidesOwnPairOnValid(const FitOptions& options);

// Makes the choice where no measurement is needed for it. Returns the errors of
// reading the manifest of options->warm_start.
absl::Status DecideOwnPairByOptions(FitOptions* options);

// Takes kReveal when it ranks clearly better, with an AUROC (the mean of both
// questions) that is at most .005 lower; or when it ranks alike and its AUROC
// is clearly higher. Otherwise kHide, which is the stricter. An MRR is clearly
// better by 2 %, and by 0.6 / sqrt(questions) at least; an AUROC by .001, and
// by 0.3 / sqrt(rows) at least: about two standard errors of such differences.
OwnPairChoice ChooseOwnPair(const OwnPairFigures& hide,
                            const OwnPairFigures& reveal);

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_OWN_PAIR_CHOICE_H_
