// The interface of what scores a batch of links: a network, or a fake in tests.
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
  // What `predictions` would be if the context of each row were the only one of
  // its link: [rows of the batch]. For a link of several contexts, the logits
  // of its prediction are the means or the largest ones of theirs
  // (OutputReading::pooling).
  std::vector<Prediction> context_predictions;
  // The attention of each context, without padding: [rows of the batch].
  std::vector<SemanticAssociationMatrix> attention;
  // What each pair feature contributes to a link, [links][pair features]: the
  // structural logit of Question::kPlausible, minus the logit that the link
  // would have if this feature were 0, the feature's mean in training.
  std::vector<std::vector<float>> contributions;
};

// The structural logits of one link, indexed by Question.
using StructuralLogits = std::array<float, kQuestions>;

// Scores batches of links. Thread-safe. The server forms the batches that it
// passes to this interface; tests implement the interface by fakes.
class BatchScorer {
 public:
  virtual ~BatchScorer() = default;

  // One prediction per link of `batch`. INTERNAL when the network fails;
  // RESOURCE_EXHAUSTED when memory ran out.
  virtual absl::StatusOr<std::vector<Prediction>> Predict(
      const ContextBatch& batch) const = 0;

  // The same predictions with their reasons. The logits differ from Predict's
  // by at most 1e-5.
  virtual absl::StatusOr<ExplainedBatch> Explain(
      const ContextBatch& batch) const = 0;

  // Runs the structural scorer alone, for links of one relation:
  // `pair_features` [links, feature_count] are the scaled pair features of the
  // links. The result is [links]; its logits differ from Predict's by at most
  // 1e-4. UNIMPLEMENTED when there is no structural scorer.
  virtual absl::StatusOr<std::vector<StructuralLogits>> ScoreStructural(
      RelationId relation, std::span<const float> pair_features,
      size_t feature_count) const;

  // One score for each of the links that ScoreStructural is given: by it the
  // candidates of a question are ranked, and it means nothing else. The logit
  // for Question::kAmongKind, unless the scorer has a network that was trained
  // to rank. Returns the errors of ScoreStructural.
  virtual absl::StatusOr<std::vector<float>> ScoreForRanking(
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
