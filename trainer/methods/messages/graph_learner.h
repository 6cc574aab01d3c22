// The steps in which a network of message passing learns.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GRAPH_LEARNER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GRAPH_LEARNER_H_

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "trainer/learning/gradient_optimizer.h"
#include "trainer/learning/negative_sampler.h"
#include "trainer/methods/epoch_loop.h"
#include "trainer/methods/link_method.h"
#include "trainer/methods/link_scorer.h"
#include "trainer/methods/messages/graph_encoder.h"
#include "trainer/methods/messages/graph_network.h"
#include "trainer/methods/messages/graph_options.h"
#include "trainer/methods/messages/link_batches.h"
#include "trainer/methods/messages/node_table.h"
#include "trainer/methods/method_ranking.h"

namespace slice {

// Thread-compatible. Throws c10::Error.
class GraphLearner : public EpochLearner {
 public:
  // Everything must outlive it.
  GraphLearner(const MethodInput& input, const GraphTrainingOptions& options,
               const NegativeSampler& sampler, GraphNetwork network);

  absl::StatusOr<double> RunEpoch(int epoch, std::string* where) override;
  absl::StatusOr<double> MeasureValid() override;
  void Keep() override;
  void Restore() override;

  // The present state as a method that scores.
  std::unique_ptr<const TrainedMethod> MakeMethod(MethodSummary summary) const;

  // The vectors [nodes, dim] that the whole train graph gives.
  at::Tensor FinalVectors() const;
  // Scores [links] while `hidden` carries no message, without a gradient.
  at::Tensor ScoreWithout(const LinkBatch& batch, const HiddenLinks& hidden);

  bool samples() const { return samples_; }

 private:
  // The blocks of a step, first layer first, and what is to be scored.
  struct Step {
    LinkBatch batch;
    std::vector<NodeId> candidates;
    LinkEnds ends;
    std::vector<MessageBlock> blocks;
    MessageBlock pairs;               // for dot products: the batch as arcs
    std::vector<uint32_t> place;      // [links], in `pairs`
    std::vector<uint32_t> labels[2];  // for a scorer: [links], by Direction

    const MessageBlock& block(size_t layer) const {
      return blocks[std::min(layer, blocks.size() - 1)];
    }
  };

  // The links of a step as questions for the target (0) and the source (1).
  struct Asked {
    at::Tensor MeanScores() const { return (scores[0] + scores[1]) / 2; }

    at::Tensor queries[2];   // [links, width]
    at::Tensor scores[2];    // [links]
    at::Tensor all_answers;  // [sources of the last block, width]
  };

  void BuildBlocks(const HiddenLinks& hidden, uint64_t seed, Step& step);
  at::Tensor Encode(const Step& step, at::Tensor states, bool training) const;
  bool joins_layers() const { return options_.output == "all"; }
  at::Tensor JoinLayers(std::vector<at::Tensor> outputs) const;
  at::Tensor LabelVectors() const;
  at::Tensor DotScores(Step& step, const at::Tensor& vectors) const;
  Asked Ask(Step& step, const at::Tensor& vectors, bool training) const;
  at::Tensor CandidateLoss(const Step& step, const Asked& asked) const;
  at::Tensor Loss(Step& step, const at::Tensor& vectors) const;
  void SetLearningRate(int epoch);
  double RunStep(const LinkParts& parts, int part, uint64_t seed);

  const MethodInput& input_;
  const GraphTrainingOptions& options_;
  const NegativeSampler& sampler_;
  const std::unique_ptr<GraphEncoder> encoder_;
  const std::shared_ptr<const LinkScorer> scorer_;  // null: dot product
  const MessageGraph graph_;
  mutable BlockBuilder builder_;
  const std::vector<NodeId> all_nodes_;
  const bool samples_;
  double learning_rate_ = 0;  // of this epoch
  NodeTable table_;
  // [relations, dim]: of a scorer, where the encoder makes no label vectors.
  at::Tensor relations_;
  std::vector<at::Tensor> parameters_;  // all but the table
  // [1], added to scores that cross-entropy is to see: the dot products of all
  // pairs of nodes are not below zero in the mean, and most pairs are no links.
  // It changes no order.
  at::Tensor offset_;
  std::unique_ptr<GradientOptimizer> optimizer_;
  std::unique_ptr<const MethodRanking> ranking_;
  std::vector<LinkQuestion> questions_;
  // The best state.
  at::Tensor kept_table_;
  std::vector<at::Tensor> kept_parameters_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GRAPH_LEARNER_H_
