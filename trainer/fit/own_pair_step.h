// The step `own_pair`: whether a question hides all links between its two ends
// (hide), or sees those beside the asked one (reveal). See
// trainer/fit/own_pair_choice.h.
//
// Few links of valid may have another link between their ends in train. Then
// both ways answer alike, and the stricter one is taken at once. Otherwise a
// structural scorer is trained each way, briefly, and both are measured on
// valid: no row of test is read.
#ifndef SLICE_TRAINER_FIT_OWN_PAIR_STEP_H_
#define SLICE_TRAINER_FIT_OWN_PAIR_STEP_H_

#include <nlohmann/json_fwd.hpp>

#include "absl/status/statusor.h"
#include "trainer/fit/fit_options.h"
#include "trainer/fit/import_step.h"
#include "trainer/fit/own_pair_choice.h"
#include "trainer/fit/step_fingerprint.h"

namespace slice {

// A step as finish_step.h describes it. `options` and `training`, which is
// imported with OwnPairLinks::kHide, must outlive it.
class OwnPairStep {
 public:
  static constexpr char kName[] = "own_pair";

  OwnPairStep(const FitOptions& options, const ImportedTraining& training)
      : options_(options), training_(training) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<OwnPairChoice> Load(const nlohmann::json& record) const;

 private:
  absl::StatusOr<OwnPairFigures> Try(OwnPairLinks links) const;
  FitOptions TrialOptions(OwnPairLinks links) const;

  const FitOptions& options_;
  const ImportedTraining& training_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_OWN_PAIR_STEP_H_
