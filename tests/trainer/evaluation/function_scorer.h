// A scorer for tests of the evaluation: its logits are a function of the link
// and of the nodes in its context.
#ifndef SLICE_TESTS_TRAINER_EVALUATION_FUNCTION_SCORER_H_
#define SLICE_TESTS_TRAINER_EVALUATION_FUNCTION_SCORER_H_

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "common/random.h"
#include "model/link_predictor.h"

namespace slice {

// The context scorer's first logit is the function's value and its second the
// negated value. All tokens get the same attention but for one favourite node,
// which gets more.
class FunctionScorer : public BatchScorer {
 public:
  using Function = std::function<float(const Link&, const std::set<NodeId>&)>;
  explicit FunctionScorer(Function context, NodeId favourite = kNoNode)
      : context_(std::move(context)), favourite_(favourite) {}

  absl::StatusOr<std::vector<Prediction>> Predict(
      const ContextBatch& batch) const override {
    std::vector<Prediction> predictions(batch.links);
    for (int64_t row = 0; row < batch.rows; ++row) {
      const int64_t first = row * batch.tokens;
      const Link link = {static_cast<NodeId>(batch.nodes[first]),
                         static_cast<RelationId>(batch.relation[row]),
                         static_cast<NodeId>(batch.nodes[first + 1])};
      std::set<NodeId> nodes;
      for (int64_t i = 2; i < batch.row_tokens[row]; ++i) {
        nodes.insert(static_cast<NodeId>(batch.nodes[first + i]));
      }
      Prediction& prediction = predictions[batch.row_link[row]];
      const float logit = context_(link, nodes);
      prediction.logits[0] = {logit, -logit};
      prediction.logits[2] = {logit / 2 + 1, 0.5f * link.target};
      prediction.relation = link.relation;
      prediction.flags = batch.flags[batch.row_link[row]];
      prediction.Read(OutputReading());
    }
    return predictions;
  }

  absl::StatusOr<ExplainedBatch> Explain(
      const ContextBatch& batch) const override {
    ExplainedBatch explained;
    explained.predictions = *Predict(batch);
    for (int64_t row = 0; row < batch.rows; ++row) {
      const int tokens = static_cast<int>(batch.row_tokens[row]);
      SemanticAssociationMatrix attention{1, 1, tokens, {}};
      for (int i = 0; i < tokens * tokens; ++i) {
        const auto node =
            static_cast<NodeId>(batch.nodes[row * batch.tokens + i % tokens]);
        attention.weights.push_back(node == favourite_ ? 0.9f : 0.1f / tokens);
      }
      explained.attention.push_back(attention);
    }
    return explained;
  }

  // The same logits for every link.
  absl::StatusOr<std::vector<StructuralLogits>> ScoreStructural(
      RelationId, std::span<const float> pair_features,
      size_t feature_count) const override {
    return std::vector<StructuralLogits>(pair_features.size() / feature_count);
  }

 private:
  const Function context_;
  const NodeId favourite_;
};

inline float ByHash(const Link& link, const std::set<NodeId>&) {
  const uint64_t hash =
      CombineHash(CombineHash(link.source, link.relation), link.target);
  return static_cast<float>(hash % 1000) / 100 - 5;
}

}  // namespace slice

#endif  // SLICE_TESTS_TRAINER_EVALUATION_FUNCTION_SCORER_H_
