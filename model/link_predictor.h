// Scores batches of links with the network of a bundle.
#ifndef SLICE_MODEL_LINK_PREDICTOR_H_
#define SLICE_MODEL_LINK_PREDICTOR_H_

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/batch_scorer.h"
#include "model/forward_options.h"
#include "model/frozen_network.h"
#include "model/model_bundle.h"

namespace slice {

// Runs the network of a bundle and shares the ownership of the bundle, because
// the network reads the bundle's embeddings. Thread-safe.
class LinkPredictor final : public BatchScorer {
 public:
  // Loads the networks of a verified bundle. DATA_LOSS when a native network is
  // malformed or of other sizes than the manifest's; errors of
  // FrozenNetwork::Load.
  static absl::StatusOr<std::unique_ptr<LinkPredictor>> Create(
      std::shared_ptr<const ModelBundle> bundle, const ForwardOptions& options);

  absl::StatusOr<std::vector<Prediction>> Predict(
      const ContextBatch& batch) const override;
  absl::StatusOr<ExplainedBatch> Explain(
      const ContextBatch& batch) const override;
  absl::StatusOr<std::vector<StructuralLogits>> ScoreStructural(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const override;
  absl::StatusOr<std::vector<float>> ScoreForRanking(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const override;

  // Calls Predict and Explain once for every length of a context that the
  // bundle allows, on made-up contexts. The first call for a length is slow;
  // after the warm-up no request has to wait for it.
  absl::Status WarmUp() const;

  const ModelBundle& bundle() const { return *bundle_; }
  ForwardPath path() const override;
  std::vector<ForwardTiming> timings() const override;

 private:
  LinkPredictor(std::shared_ptr<const ModelBundle> bundle,
                std::unique_ptr<const FrozenNetwork> network);

  const std::shared_ptr<const ModelBundle> bundle_;
  const std::unique_ptr<const FrozenNetwork> network_;
};

}  // namespace slice

#endif  // SLICE_MODEL_LINK_PREDICTOR_H_
