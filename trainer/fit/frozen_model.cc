#include "trainer/fit/frozen_model.h"

#include <utility>

#include "common/status_macros.h"

namespace slice {

FrozenModel::FrozenModel(const TrainedModel& model, LinkEncoder encoder,
                         std::unique_ptr<FrozenNetwork> network)
    : model_(&model),
      encoder_(std::move(encoder)),
      network_(std::move(network)) {}

absl::StatusOr<FrozenModel> FrozenModel::Load(
    const TrainedModel& model, const std::filesystem::path& network_file,
    const std::filesystem::path& ranking_file) {
  const LearningInputs& inputs = model.inputs;
  FrozenNetworkOptions frozen;
  frozen.embeddings = {inputs.embeddings.values.data(),
                       static_cast<int64_t>(inputs.graph().node_count()),
                       inputs.embeddings.dim};
  frozen.reading = model.Reading();
  SLICE_ASSIGN_OR_RETURN(auto network,
                         FrozenNetwork::Load(network_file, frozen));
  if (!ranking_file.empty()) {
    SLICE_ASSIGN_OR_RETURN(auto ranking,
                           FrozenNetwork::Load(ranking_file, frozen));
    network->RankBy(std::move(ranking));
  }
  return FrozenModel(
      model,
      inputs.Encoder(model.structural.tables, inputs.options.contexts_per_link),
      std::move(network));
}

ModelEvaluation FrozenModel::Evaluation() const {
  const LearningInputs& inputs = model_->inputs;
  ModelEvaluation evaluation;
  evaluation.model = {&inputs.graph(), &encoder_, network_.get()};
  evaluation.reading = model_->Reading();
  evaluation.valid = inputs.training.valid();
  evaluation.test = inputs.training.test();
  evaluation.explain = !inputs.options.structural_only();
  evaluation.model_name = NameWithLeak("slice", inputs.options.leaky);
  evaluation.threads = inputs.options.WorkerThreads();
  return evaluation;
}

}  // namespace slice
