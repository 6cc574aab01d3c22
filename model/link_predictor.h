// Scores batches with a bundle's frozen TorchScript network.
#ifndef SLICE_MODEL_LINK_PREDICTOR_H_
#define SLICE_MODEL_LINK_PREDICTOR_H_

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "model/context_batch.h"
#include "model/device_health.h"
#include "model/forward_pass.h"
#include "model/forward_timing.h"
#include "model/model_bundle.h"
#include "model/prediction.h"

namespace slice {

struct LinkPredictorOptions {
  std::string device = "cpu";  // "cpu", "cuda" or "cuda:N"
  ForwardPath path = ForwardPath::kAuto;
  // As in FrozenNetworkOptions.
  std::shared_ptr<DeviceHealth> health = nullptr;
  bool falls_to_cpu = false;
};

// Predictions of a batch, the attention of each of its rows (contexts) and what
// each pair feature contributes.
struct ExplainedBatch {
  std::vector<Prediction> predictions;               // [links]
  std::vector<SemanticAssociationMatrix> attention;  // [rows], padding removed
  // [links][pair features]: the structural logit of Question::kPlausible less
  // what it is with this feature at 0, its mean in training.
  std::vector<std::vector<float>> contributions;
};

// By question.
using StructuralLogits = std::array<float, kQuestions>;

// What scores a batch. Thread-safe. The server batches in front of this; tests
// put fakes behind it.
class BatchScorer {
 public:
  virtual ~BatchScorer() = default;

  // One prediction per link of `batch`. INTERNAL when the network fails;
  // RESOURCE_EXHAUSTED when memory ran out.
  virtual absl::StatusOr<std::vector<Prediction>> Predict(
      const ContextBatch& batch) const = 0;

  // The same predictions with their reasons; logits equal Predict's to 1e-5.
  virtual absl::StatusOr<ExplainedBatch> Explain(
      const ContextBatch& batch) const = 0;

  // The structural scorer alone, of links of one relation: [links], of their
  // scaled pair features [links, features]. Logits equal Predict's to 1e-4.
  // UNIMPLEMENTED where there is no such scorer.
  virtual absl::StatusOr<std::vector<StructuralLogits>> ScoreStructural(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const;

  // How the network is run: kTorchScript, kNative or kNativeBfloat16, and
  // kAuto where there is none.
  virtual ForwardPath path() const { return ForwardPath::kAuto; }

  // The measurements that kAuto chose path() by; empty where it did not choose.
  virtual std::vector<ForwardTiming> timings() const { return {}; }
};

class FrozenNetwork;

class LinkPredictor final : public BatchScorer {
 public:
  // Loads and freezes the network of a verified bundle. UNIMPLEMENTED for a
  // cuda device in a CPU build; FAILED_PRECONDITION when the device is absent;
  // INVALID_ARGUMENT for an unknown device name; DATA_LOSS when the file is not
  // a network of the contract; FAILED_PRECONDITION when it cannot be run the
  // way that is asked for.
  static absl::StatusOr<std::unique_ptr<LinkPredictor>> Create(
      std::shared_ptr<const ModelBundle> bundle,
      const LinkPredictorOptions& options);
  ~LinkPredictor() override;

  absl::StatusOr<std::vector<Prediction>> Predict(
      const ContextBatch& batch) const override;
  absl::StatusOr<ExplainedBatch> Explain(
      const ContextBatch& batch) const override;
  absl::StatusOr<std::vector<StructuralLogits>> ScoreStructural(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const override;

  // Runs both methods once on made-up contexts of every length up to the
  // bundle's cap, so that no request pays for the first call of a shape.
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
