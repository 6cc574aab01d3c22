// A trained network, frozen for inference, with what turns its outputs into
// predictions. Used by LinkPredictor and by the trainer's evaluation.
#ifndef SLICE_MODEL_FROZEN_NETWORK_H_
#define SLICE_MODEL_FROZEN_NETWORK_H_

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/device_health.h"
#include "model/forward_pass.h"
#include "model/forward_timing.h"
#include "model/link_predictor.h"

namespace slice {

// What a frozen network reads beside its file.
struct FrozenNetworkOptions {
  const float* embeddings = nullptr;  // [rows, dim]; outlives the network
  int64_t embedding_rows = 0;
  int64_t embedding_dim = 0;
  std::string device = "cpu";
  ForwardPath path = ForwardPath::kAuto;
  // Of a device that is not the CPU: told when it is lost, and whether the CPU
  // then takes over.
  std::shared_ptr<DeviceHealth> health;
  bool falls_to_cpu = false;
  OutputReading reading;
};

// Thread-safe.
class FrozenNetwork final : public BatchScorer {
 public:
  // A native pass exists where the network is one of
  // model/torch/network_definition.h and both passes agree on made-up links. On
  // the CPU kAuto then times it against the TorchScript and takes the faster;
  // on a device it takes the native one. Errors as LinkPredictor::Create.
  static absl::StatusOr<std::unique_ptr<FrozenNetwork>> Load(
      const std::filesystem::path& path, const FrozenNetworkOptions& options);

  absl::StatusOr<std::vector<Prediction>> Predict(
      const ContextBatch& batch) const override;
  absl::StatusOr<ExplainedBatch> Explain(
      const ContextBatch& batch) const override;
  // INTERNAL when the network's structural part is not that of the contract.
  absl::StatusOr<std::vector<StructuralLogits>> ScoreStructural(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const override;

  ForwardPath path() const override { return pass_->path(); }
  std::vector<ForwardTiming> timings() const override { return timings_; }

 private:
  FrozenNetwork(std::unique_ptr<const ForwardPass> pass, OutputReading reading,
                std::vector<ForwardTiming> timings)
      : pass_(std::move(pass)),
        reading_(reading),
        timings_(std::move(timings)) {}
  absl::StatusOr<std::vector<float>> Contributions(const ContextBatch& batch,
                                                   int64_t row) const;

  const std::unique_ptr<const ForwardPass> pass_;
  const OutputReading reading_;
  const std::vector<ForwardTiming> timings_;
};

}  // namespace slice

#endif  // SLICE_MODEL_FROZEN_NETWORK_H_
