// An epoch splits the train links into parts by pair
// (trainer/methods/messages/link_batches.h). Each step scores the links of one
// part and negatives made from them, while the links of this part carry no
// message:
//
//   1. Draw negatives and, when early stopping ranks, candidates.
//   2. Build the blocks, the inputs of the layers: one for the whole graph, or
//      in a sample one per layer, from the last layer back to the first.
//   3. Encode: run the layers on the learned vectors of the nodes of the first
//      block.
//   4. Score the links by dot product or by the scorer. The loss is the
//      balanced cross-entropy, plus the softmax loss over the candidates if
//      there are any.
//   5. Take one step of Adam on the parameters, and on the learned vectors of
//      the nodes of the first block.
//
// A step whose loss is not finite changes nothing. Blocks and indexes live in
// Step, because backward() reads them. FinalVectors() runs the layers on the
// whole train graph with nothing hidden.
#include "trainer/methods/messages/graph_learner.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "trainer/methods/embedding_method.h"
#include "trainer/methods/messages/hg_sampler.h"
#include "trainer/methods/messages/link_losses.h"
#include "trainer/methods/messages/message_functions.h"
#include "trainer/methods/method_evaluation.h"
#include "trainer/methods/scored_method.h"

namespace slice {
namespace {

constexpr size_t kNodesAtOnce = 1 << 16;  // of FinalVectors(), to limit memory
// The initial offset of scores in the cross-entropy.
constexpr double kFirstOffset = -2;
// How many valid links early stopping ranks.
constexpr size_t kRankedPositives = 500;

std::vector<NodeId> AllNodes(size_t count) {
  std::vector<NodeId> nodes(count);
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  return nodes;
}

std::vector<float> ToVector(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.detach().contiguous();
  const float* const values = flat.const_data_ptr<float>();
  return std::vector<float>(values, values + flat.numel());
}

std::vector<at::Tensor> CopyAll(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> copies;
  for (const at::Tensor& tensor : tensors) {
    copies.push_back(tensor.detach().clone());
  }
  return copies;
}

// Up to `count` distinct nodes, ascending; all nodes when there are no more
// than that.
std::vector<NodeId> DrawNodes(size_t node_count, int count, uint64_t seed) {
  if (static_cast<size_t>(count) >= node_count) return AllNodes(node_count);
  std::vector<NodeId> nodes;
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    nodes.push_back(random.Below(static_cast<uint32_t>(node_count)));
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace

GraphLearner::GraphLearner(const MethodInput& input,
                           const GraphTrainingOptions& options,
                           const NegativeSampler& sampler, GraphNetwork network)
    : input_(input),
      options_(options),
      sampler_(sampler),
      encoder_(std::move(network.encoder)),
      scorer_(std::move(network.scorer)),
      graph_(*input.snapshot, encoder_->graph_options()),
      builder_(graph_, input.threads),
      all_nodes_(AllNodes(graph_.node_count())),
      samples_(options.UsesSamples(graph_.node_count(), graph_.arc_count())),
      table_(graph_.node_count(), encoder_->shape().input),
      parameters_(encoder_->parameters()),
      offset_(at::full({1}, kFirstOffset).set_requires_grad(true)) {
  parameters_.push_back(offset_);
  if (scorer_ != nullptr) {
    for (const at::Tensor& own : scorer_->parameters()) {
      parameters_.push_back(own);
    }
    if (!encoder_->LabelVectors(0).defined()) {
      const auto count = static_cast<int64_t>(input.snapshot->relation_count());
      relations_ =
          at::randn({count, options.VectorDim()}).set_requires_grad(true);
      parameters_.push_back(relations_);
    }
  }
  optimizer_ = MakeAdam({parameters_}, options.learning_rate);
  if (ChoosesByRank(*input.snapshot, options, scorer_ != nullptr)) {
    const std::span<const LabelledLink> held_out[] = {input.valid};
    ranking_ = std::make_unique<const MethodRanking>(*input.snapshot, held_out);
    questions_ = SampleQuestions(input.valid, kRankedPositives);
  }
}

MessageBlock GraphLearner::BuildTypedSample(const HiddenLinks& hidden,
                                            uint64_t seed, const Step& step) {
  HgSamplingOptions sampling;
  sampling.rounds = encoder_->shape().layers;
  sampling.nodes_of_type = static_cast<size_t>(options_.nodes_of_type);
  sampling.most_arcs = static_cast<size_t>(options_.neighbors);
  sampling.seed = seed;
  sampling.hidden = hidden;
  BlockOptions options;
  options.hidden = hidden;
  options.closed = true;
  return builder_.Build(SampleByBudget(graph_, step.ends.nodes, sampling),
                        options);
}

void GraphLearner::BuildBlocks(const HiddenLinks& hidden, uint64_t seed,
                               Step& step) {
  BlockOptions options;
  options.hidden = hidden;
  if (!samples_) {
    for (size_t i = 0; i < step.batch.links.size(); ++i) {
      step.ends.sources.push_back(step.batch.links[i].source);
      step.ends.targets.push_back(step.batch.links[i].target);
    }
    step.blocks.push_back(builder_.Build(all_nodes_, options));
    return;
  }
  step.ends = LinkEnds::Of(step.batch, step.candidates);
  if (options_.nodes_of_type > 0) {
    step.blocks.push_back(BuildTypedSample(hidden, seed, step));
    return;
  }
  options.most_arcs = static_cast<size_t>(options_.neighbors);
  std::span<const NodeId> wanted = step.ends.nodes;
  step.blocks.resize(static_cast<size_t>(encoder_->shape().layers));
  for (size_t layer = step.blocks.size(); layer-- > 0;) {
    options.seed = CombineHash(seed, layer);
    step.blocks[layer] = builder_.Build(wanted, options);
    wanted = step.blocks[layer].nodes;
  }
}

at::Tensor GraphLearner::Encode(const Step& step, at::Tensor states,
                                bool training) const {
  // The destinations of the last block come first in every block.
  const auto ends = static_cast<int64_t>(step.blocks.back().destination_count);
  std::vector<at::Tensor> outputs;
  for (int layer = 0; layer < encoder_->shape().layers; ++layer) {
    states = encoder_->RunLayer(layer, step.block(static_cast<size_t>(layer)),
                                states, training);
    outputs.push_back(states.narrow(0, 0, ends));
  }
  return JoinLayers(std::move(outputs));
}

at::Tensor GraphLearner::JoinLayers(std::vector<at::Tensor> outputs) const {
  return joins_layers() ? at::cat(outputs, 1) : outputs.back();
}

at::Tensor GraphLearner::LabelVectors() const {
  // Both directions of a relation share one vector.
  if (relations_.defined()) return relations_.repeat_interleave(2, 0);
  std::vector<at::Tensor> outputs;
  for (int layer = 0; layer < encoder_->shape().layers; ++layer) {
    outputs.push_back(encoder_->LabelVectors(layer));
  }
  return JoinLayers(std::move(outputs));
}

at::Tensor GraphLearner::DotScores(Step& step,
                                   const at::Tensor& vectors) const {
  step.pairs =
      BlockOfPairs(step.ends.sources, step.ends.targets,
                   static_cast<size_t>(vectors.size(0)), step.arc_of_pair);
  return TakeRows(DotArcEnds(step.pairs, vectors, vectors, 1), step.arc_of_pair)
      .squeeze(1);
}

GraphLearner::QuestionScores GraphLearner::ScoreQuestions(
    Step& step, const at::Tensor& vectors, bool training) const {
  const std::vector<uint32_t>* const ends[] = {&step.ends.sources,
                                               &step.ends.targets};
  QuestionScores scored;
  at::Tensor labels;
  if (scorer_ != nullptr) labels = LabelVectors();
  scored.all_answers = scorer_ == nullptr ? vectors : scorer_->Answers(vectors);
  for (const uint32_t side : {0, 1}) {
    at::Tensor& queries = scored.queries[side];
    queries = TakeRows(vectors, *ends[side]);
    if (scorer_ != nullptr) {
      for (const Link& link : step.batch.links) {
        step.labels[side].push_back(2 * link.relation + side);
      }
      queries = scorer_->Queries(queries, TakeRows(labels, step.labels[side]),
                                 training);
    }
    scored.scores[side] =
        (queries * TakeRows(scored.all_answers, *ends[1 - side])).sum(1);
  }
  return scored;
}

at::Tensor GraphLearner::CandidateLoss(const Step& step,
                                       const QuestionScores& scored) const {
  const size_t count = step.batch.positives;
  const std::span<const Link> positives(step.batch.links.data(), count);
  // In a sample the candidates come first among the nodes. On the whole graph
  // the id of a node is its position.
  const at::Tensor candidates =
      samples_ ? scored.all_answers.narrow(
                     0, 0, static_cast<int64_t>(step.candidates.size()))
               : TakeRows(scored.all_answers, step.candidates);
  at::Tensor loss = at::zeros({1});
  for (const int side : {0, 1}) {
    const auto first = [count](const at::Tensor& rows) {
      return rows.narrow(0, 0, static_cast<int64_t>(count));
    };
    loss =
        loss + CandidateSoftmax(
                   first(scored.queries[side]), candidates,
                   first(scored.scores[side]),
                   KnownAnswers(*input_.snapshot, positives, step.candidates,
                                side == 0 ? Direction::kOut : Direction::kIn));
  }
  return loss.squeeze(0);
}

at::Tensor GraphLearner::Loss(Step& step, const at::Tensor& vectors) const {
  const auto positives = static_cast<int64_t>(step.batch.positives);
  const bool needs_questions = scorer_ != nullptr || !step.candidates.empty();
  QuestionScores scored;
  if (needs_questions) scored = ScoreQuestions(step, vectors, true);
  const at::Tensor scores =
      scorer_ == nullptr ? DotScores(step, vectors) : scored.MeanScores();
  const at::Tensor loss = BalancedCrossEntropy(scores + offset_, positives);
  return step.candidates.empty() ? loss : loss + CandidateLoss(step, scored);
}

double GraphLearner::RunStep(const LinkParts& parts, int part, uint64_t seed) {
  Step step;
  step.batch = parts.Batch(part, options_.negatives, input_.threads);
  if (ranking_ != nullptr) {
    step.candidates = DrawNodes(graph_.node_count(), options_.candidates,
                                CombineHash(seed, 1));
  }
  BuildBlocks(parts.Hidden(part), CombineHash(seed, 2), step);
  const std::vector<NodeId>& inputs = step.blocks.front().nodes;
  optimizer_->ClearGradients();
  const at::Tensor rows = table_.Rows(inputs);
  at::Tensor loss = Loss(step, Encode(step, rows, true));
  loss.backward();
  const double value = loss.item<double>();
  if (!std::isfinite(value)) return value;
  optimizer_->Step();
  table_.Update(inputs, rows.grad(), {learning_rate_, options_.weight_decay});
  return value;
}

void GraphLearner::SetLearningRate(int epoch) {
  learning_rate_ = options_.learning_rate;
  if (options_.decay == "linear") {
    learning_rate_ *= 1 - static_cast<double>(epoch - 1) / options_.epochs;
  }
  optimizer_->SetRate(0, learning_rate_);
}

absl::StatusOr<double> GraphLearner::RunEpoch(int epoch,
                                              std::string* batch_name) {
  SetLearningRate(epoch);
  const uint64_t seed = CombineHash(input_.seed, static_cast<uint64_t>(epoch));
  const uint64_t links = input_.snapshot->link_count();
  const int wanted = options_.Parts(samples_, links);
  const LinkParts parts(*input_.snapshot, sampler_, wanted, seed);
  double total = 0;
  uint64_t seen = 0;
  for (int part = 0; part < std::min(wanted, kMostEpochSteps); ++part) {
    const size_t positives = parts.Positives(part).size();
    if (positives == 0) continue;
    const double loss =
        RunStep(parts, part, CombineHash(seed, static_cast<uint64_t>(part)));
    *batch_name = absl::StrCat("batch ", part + 1);
    if (!std::isfinite(loss)) return loss;
    total += loss * static_cast<double>(positives);
    seen += positives;
  }
  return total / static_cast<double>(std::max<uint64_t>(seen, 1));
}

absl::StatusOr<double> GraphLearner::MeasureValid() {
  const auto method = MakeMethod({});
  if (ranking_ == nullptr) {
    return AurocOn(*method, input_.valid, input_.threads);
  }
  return MeanReciprocalRank(*ranking_, *method, questions_, input_.threads);
}

void GraphLearner::Keep() {
  kept_table_ = table_.values().clone();
  kept_parameters_ = CopyAll(parameters_);
}

void GraphLearner::Restore() {
  const at::NoGradGuard no_grad;
  table_.SetValues(kept_table_);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    parameters_[i].copy_(kept_parameters_[i]);
  }
}

// How many of the nodes have few enough arcs for one block: at least one node.
size_t GraphLearner::NodesOfBlock(std::span<const NodeId> nodes) const {
  const GraphView graph(*input_.snapshot);
  const size_t most = std::min(nodes.size(), kNodesAtOnce);
  double arcs = 0;
  for (size_t i = 0; i < most; ++i) {
    arcs += static_cast<double>(graph.ArcCount(nodes[i]));
    if (i > 0 && arcs > options_.MostArcsAtOnce()) return i;
  }
  return most;
}

at::Tensor GraphLearner::FinalVectors() const {
  const at::NoGradGuard no_grad;
  at::Tensor states = table_.values();
  std::vector<at::Tensor> outputs;
  const std::span<const NodeId> nodes = all_nodes_;
  // Runs one layer for all nodes, then the next: each node is computed once per
  // layer.
  for (int layer = 0; layer < encoder_->shape().layers; ++layer) {
    std::vector<at::Tensor> pieces;
    for (size_t begin = 0; begin < nodes.size();) {
      const size_t count = NodesOfBlock(nodes.subspan(begin));
      const MessageBlock block =
          builder_.Build(nodes.subspan(begin, count), BlockOptions());
      const at::Tensor inputs =
          count == nodes.size() ? states : TakeRows(states, block.nodes);
      pieces.push_back(encoder_->RunLayer(layer, block, inputs, false));
      begin += count;
    }
    states = pieces.size() == 1 ? pieces[0] : at::cat(pieces);
    if (!joins_layers()) outputs.clear();
    outputs.push_back(states);
  }
  return JoinLayers(std::move(outputs));
}

at::Tensor GraphLearner::ScoreWithout(const LinkBatch& batch,
                                      const HiddenLinks& hidden) {
  const at::NoGradGuard no_grad;
  Step step;
  step.batch = batch;
  BuildBlocks(hidden, 0, step);
  const at::Tensor vectors =
      Encode(step, table_.Rows(step.blocks.front().nodes), false);
  return scorer_ == nullptr ? DotScores(step, vectors)
                            : ScoreQuestions(step, vectors, false).MeanScores();
}

std::unique_ptr<const TrainedMethod> GraphLearner::MakeMethod(
    MethodSummary summary) const {
  const at::Tensor vectors = FinalVectors();
  const auto dim = static_cast<size_t>(vectors.size(1));
  if (scorer_ == nullptr) {
    return std::make_unique<const DotProductMethod>(ToVector(vectors), dim,
                                                    std::move(summary));
  }
  const at::NoGradGuard no_grad;
  return std::make_unique<const ScoredMethod>(vectors, LabelVectors(), scorer_,
                                              std::move(summary));
}

}  // namespace slice
