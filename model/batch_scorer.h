// What scores a batch of links: a network, or a fake in its place.
#ifndef SLICE_MODEL_BATCH_SCORER_H_
#define SLICE_MODEL_BATCH_SCORER_H_

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/types.h"
#include "model/context_batch.h"
#include "model/forward_pass.h"
#include "model/forward_timing.h"
#include "model/prediction.h"
#include "model/semantic_association_matrix.h"

namespace slice {

// The predictions of a batch and the reasons for them.
struct ExplainedBatch {
  std::vector<Prediction> predictions;  // [links]
  // The attention of each context: [rows], padding removed.
  std::vector<SemanticAssociationMatrix> attention;
  // What each pair feature contributes, [links][pair features]: the structural
  // logit of Question::kPlausible, minus the same logit with this feature at 0,
  // which is the feature's mean in training.
  std::vector<std::vector<float>> contributions;
};

// By question.
using StructuralLogits = std::array<float, kQuestions>;

// Thread-safe. The server forms batches in front of this interface; tests put
// fakes behind it.
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

  // The structural scorer alone, for links of one relation. `pair_features` are
  // their scaled pair features [links, feature_count]; the result is [links].
  // Logits equal Predict's to 1e-4. UNIMPLEMENTED when there is no structural
  // scorer.
  virtual absl::StatusOr<std::vector<StructuralLogits>> ScoreStructural(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const;

  // How the network is run: kTorchScript, kNative or kNativeBfloat16. kAuto
  // when there is no network.
  virtual ForwardPath path() const { return ForwardPath::kAuto; }

  // The measurements by which kAuto chose path(); empty when path() was not
  // chosen by measuring.
  virtual std::vector<ForwardTiming> timings() const { return {}; }
};

}  // namespace slice

#endif  // SLICE_MODEL_BATCH_SCORER_H_
