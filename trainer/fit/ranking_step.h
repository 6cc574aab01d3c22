// The step `rank`: a network that ranks candidates. It starts as that of the
// step `structural`, and its structural scorer learns to put the answer of a
// question before the candidates that are hard to tell from it. Writes
// ranking.pt.
#ifndef SLICE_TRAINER_FIT_RANKING_STEP_H_
#define SLICE_TRAINER_FIT_RANKING_STEP_H_

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "absl/status/statusor.h"
#include "trainer/fit/fit_options.h"
#include "trainer/fit/learning_inputs.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/structural_step.h"

namespace slice {

struct RankingNetwork {
  std::filesystem::path network_file;  // empty: the model itself ranks
  std::string reason;                  // for the report; empty without the step
  std::string fingerprint;
};

// Whether `fit` has this step: not for networks without pair features, in a
// leaky run, or with --hard-questions 0.
inline bool LearnsToRank(const FitOptions& options) {
  return options.hard_questions > 0 && !options.leaky &&
         options.uses_pair_features();
}

// A step as finish_step.h describes it; what it is given must outlive it.
class RankingStep {
 public:
  static constexpr char kName[] = "rank";

  RankingStep(const LearningInputs& inputs, const StructuralScorer& structural)
      : inputs_(inputs), structural_(structural) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<RankingNetwork> Load(const nlohmann::json& record) const;

 private:
  std::filesystem::path NetworkFile() const;

  const LearningInputs& inputs_;
  const StructuralScorer& structural_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_RANKING_STEP_H_
