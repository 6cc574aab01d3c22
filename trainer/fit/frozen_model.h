// A network of a run, ready to score links before any bundle exists.
#ifndef SLICE_TRAINER_FIT_FROZEN_MODEL_H_
#define SLICE_TRAINER_FIT_FROZEN_MODEL_H_

#include <filesystem>
#include <memory>

#include "absl/status/statusor.h"
#include "context/link_encoder.h"
#include "model/frozen_network.h"
#include "trainer/evaluation/model_evaluation.h"
#include "trainer/fit/trained_model.h"

namespace slice {

// Immutable; thread-safe.
class FrozenModel {
 public:
  // `network_file` is one of those that the steps of `model` left; `model` must
  // outlive the result. Returns the errors of FrozenNetwork::Load.
  static absl::StatusOr<FrozenModel> Load(
      const TrainedModel& model, const std::filesystem::path& network_file) {
    return Load(model, network_file, model.ranking.network_file);
  }
  // With another ranking network; none if `ranking_file` is empty.
  static absl::StatusOr<FrozenModel> Load(
      const TrainedModel& model, const std::filesystem::path& network_file,
      const std::filesystem::path& ranking_file);

  // What is needed to evaluate this network on the valid and test links, with
  // no calibration yet and with empty `embeddings`. The result points into this
  // object, which must not be moved meanwhile.
  ModelEvaluation Evaluation() const;

 private:
  FrozenModel(const TrainedModel& model, LinkEncoder encoder,
              std::unique_ptr<FrozenNetwork> network);

  const TrainedModel* model_;
  LinkEncoder encoder_;
  std::unique_ptr<FrozenNetwork> network_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_FIT_FROZEN_MODEL_H_
