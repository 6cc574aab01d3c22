// Trains a network of message passing, step by step.
//
// Needs LibTorch: for .cc files of trainer/ only.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GRAPH_LEARNER_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GRAPH_LEARNER_H_

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>

#include <array>
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
#include "trainer/methods/messages/message_block_builder.h"
#include "trainer/methods/messages/node_table.h"
#include "trainer/methods/method_ranking.h"

namespace slice {

// A network and its input, a learned vector per node, while they learn.
// Thread-compatible. Throws c10::Error.
class GraphLearner : public EpochLearner {
 public:
  // The references must outlive it.
  GraphLearner(const MethodInput& input, const GraphTrainingOptions& options,
               const NegativeSampler& sampler, GraphNetwork network);

  absl::StatusOr<double> RunEpoch(int epoch, std::string* batch_name) override;
  absl::StatusOr<double> MeasureValid() override;
  void Keep() override;
  void Restore() override;

  // Returns the present state as a method.
  std::unique_ptr<const TrainedMethod> MakeMethod(MethodSummary summary) const;

  // The vectors [nodes, dim] that the encoder computes on the whole train
  // graph.
  at::Tensor FinalVectors() const;
  // The scores [links] of the links of a batch while the links in `hidden`
  // carry no message. Without gradient.
  at::Tensor ScoreWithout(const LinkBatch& batch, const HiddenLinks& hidden);

  // Whether steps run on samples of the graph.
  bool samples() const { return samples_; }

 private:
  // One step: the links to score, the blocks that carry messages, first layer
  // first, and indexes that gradients read.
  struct Step {
    LinkBatch batch;
    std::vector<NodeId> candidates;
    LinkEnds ends;
    std::vector<MessageBlock> blocks;
    MessageBlock pairs;                 // the batch as arcs; for dot products
    std::vector<uint32_t> arc_of_pair;  // [links], into `pairs`
    std::vector<uint32_t> labels[2];    // [links], by Direction; for a scorer

    // The block of a layer. On the whole graph all layers share one.
    const MessageBlock& block(size_t layer) const {
      return blocks[std::min(layer, blocks.size() - 1)];
    }
  };

  // The scores of the links of a step. Each link answers two questions: index 0
  // is the one that wants its target, index 1 the one that wants its source.
  struct QuestionScores {
    at::Tensor MeanScores() const { return (scores[0] + scores[1]) / 2; }

    std::array<at::Tensor, 2> queries;  // [links, width] each
    std::array<at::Tensor, 2> scores;   // [links] each
    at::Tensor all_answers;  // [destinations of the last block, width]
  };

  // The block of all layers on a sample of HGSampling around step.ends.
  MessageBlock BuildTypedSample(const HiddenLinks& hidden, uint64_t seed,
                                const Step& step);
  // Fills step.ends and step.blocks.
  void BuildBlocks(const HiddenLinks& hidden, uint64_t seed, Step& step);
  // The vectors [destinations of the last block, dim] from the input vectors of
  // the first block's sources.
  at::Tensor Encode(const Step& step, at::Tensor states, bool training) const;
  bool joins_layers() const { return options_.output == "all"; }
  // The vector of each node from its outputs of all layers: the last output, or
  // all of them side by side.
  at::Tensor JoinLayers(std::vector<at::Tensor> outputs) const;
  // The vectors of labels for the scorer, [2 relations, dim].
  at::Tensor LabelVectors() const;
  at::Tensor DotScores(Step& step, const at::Tensor& vectors) const;
  QuestionScores ScoreQuestions(Step& step, const at::Tensor& vectors,
                                bool training) const;
  // The softmax loss of both questions over the candidates of the step.
  at::Tensor CandidateLoss(const Step& step,
                           const QuestionScores& scored) const;
  at::Tensor Loss(Step& step, const at::Tensor& vectors) const;
  void SetLearningRate(int epoch);
  // Runs one step of Adam and returns its loss; a loss that is not finite
  // changes nothing.
  double RunStep(const LinkParts& parts, int part, uint64_t seed);

  size_t NodesOfBlock(std::span<const NodeId> nodes) const;

  const MethodInput& input_;
  const GraphTrainingOptions& options_;
  const NegativeSampler& sampler_;
  const std::unique_ptr<GraphEncoder> encoder_;
  const std::shared_ptr<const LinkScorer> scorer_;  // null: dot product
  const MessageGraph graph_;
  mutable BlockBuilder builder_;
  const std::vector<NodeId> all_nodes_;
  const bool samples_;
  double learning_rate_ = 0;  // in this epoch
  NodeTable table_;
  // [relations, dim]: vectors for a scorer when the encoder makes none.
  at::Tensor relations_;
  std::vector<at::Tensor> parameters_;  // all parameters but the table
  // [1]: a learned number that the cross-entropy adds to every score. It is
  // needed because the mean dot product over all pairs of nodes is never below
  // zero, while most pairs are no links. The number does not change the order
  // of scores.
  at::Tensor offset_;
  std::unique_ptr<GradientOptimizer> optimizer_;
  std::unique_ptr<const MethodRanking> ranking_;
  std::vector<LinkQuestion> questions_;
  // The state that Keep() stored.
  at::Tensor kept_table_;
  std::vector<at::Tensor> kept_parameters_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GRAPH_LEARNER_H_
