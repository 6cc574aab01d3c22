// The step `rank`: a network that ranks candidates. It starts as that of the
// step `structural`, and its structural scorer learns to put the answer of a
// question before the candidates that are hard to tell from it. Writes
// ranking.pt.
#ifndef SLICE_TRAINER_FIT_RANKING_STEP_H_
#define SLICE_TRAINER_FIT_RANKING_STEP_H_

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "trainer/fit/ranking_network.h"
#include "trainer/fit/step_fingerprint.h"
#include "trainer/fit/trained_model.h"

namespace slice {

// A step as finish_step.h describes it; what it is given must outlive it.
class RankingStep {
 public:
  static constexpr char kName[] = "rank";

  explicit RankingStep(const TrainedModel& model) : model_(model) {}

  absl::StatusOr<StepFingerprint> Fingerprint() const;
  absl::StatusOr<nlohmann::json> Run() const;
  absl::StatusOr<RankingNetwork> Load(const nlohmann::json& record) const;

 private:
  std::filesystem::path NetworkFile() const;

  const TrainedModel& model_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_RANKING_STEP_H_
