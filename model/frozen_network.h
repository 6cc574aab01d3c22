// A trained network, frozen for inference, that turns its outputs into
// predictions. Used by LinkPredictor and by the trainer's evaluation.
#ifndef SLICE_MODEL_FROZEN_NETWORK_H_
#define SLICE_MODEL_FROZEN_NETWORK_H_

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "model/batch_scorer.h"
#include "model/forward_options.h"
#include "model/forward_pass.h"
#include "model/forward_timing.h"
#include "model/native_network.h"

namespace slice {

// What a frozen network needs beside its file.
struct FrozenNetworkOptions {
  EmbeddingRows embeddings;  // must outlive the network
  // The same network for our own kernels. Null: there is none, or it is not
  // known. Only Load reads it.
  const NativeNetwork* native = nullptr;
  ForwardOptions forward;
  OutputReading reading;
};

// Thread-safe once made.
class FrozenNetwork final : public BatchScorer {
 public:
  // Loads the network for inference. `path` is the file of its TorchScript.
  // With options.native, only ForwardPath::kTorchScript reads it.
  //
  // Without, the TorchScript is opened. Then a native pass exists when the
  // network is one of model/torch/network_definition.h, and the logits of the
  // native pass agree with the TorchScript's on made-up links.
  // ForwardPath::kAuto takes the native pass: on the CPU only if it is measured
  // to be faster than the TorchScript, on a device without measuring.
  //
  // UNIMPLEMENTED for a cuda device in a build without CUDA;
  // FAILED_PRECONDITION when the device is absent or the network has no pass of
  // the path options.forward.path; INVALID_ARGUMENT for an unknown device name;
  // errors of OpenScriptedNetwork.
  static absl::StatusOr<std::unique_ptr<FrozenNetwork>> Load(
      const std::filesystem::path& path, const FrozenNetworkOptions& options);

  absl::StatusOr<std::vector<Prediction>> Predict(
      const ContextBatch& batch) const override;
  absl::StatusOr<ExplainedBatch> Explain(
      const ContextBatch& batch) const override;
  // Also INTERNAL when the network's method `structural` returns another shape
  // than docs/model-contract.md says.
  absl::StatusOr<std::vector<StructuralLogits>> ScoreStructural(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const override;
  absl::StatusOr<std::vector<float>> ScoreForRanking(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const override;

  // From now on, candidates are ranked by the structural scorer of `ranking`.
  // Not thread-safe.
  void RankBy(std::unique_ptr<const FrozenNetwork> ranking) {
    ranking_ = std::move(ranking);
  }

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
  std::unique_ptr<const FrozenNetwork> ranking_;  // may be null
};

}  // namespace slice

#endif  // SLICE_MODEL_FROZEN_NETWORK_H_
