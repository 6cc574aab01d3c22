// An epoch, in these steps:
//   1. every node with a visible neighbour gets some contexts, which are the
//      nodes of walks from it. The contexts come in random order and are cut
//      into chunks. While the network learns from one chunk, the walks of the
//      next one run on other threads;
//   2. in each context one token is masked: the network sees neither its node
//      nor its features;
//   3. the network encodes the context; a linear head, which is thrown away
//      afterwards, maps its output for the masked token to the space of the
//      global embeddings. The loss is a cross-entropy over all nodes, or over a
//      sample of them on large graphs.
// There is no early stopping, since no valid link is looked at.
#include "trainer/learning/pretraining.h"

#include <ATen/Context.h>
#include <ATen/TensorIndexing.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <future>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/parallel.h"
#include "common/progress.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "model/torch/network.h"
#include "model/torch/torch_status.h"
#include "trainer/learning/embedding_input.h"
#include "trainer/learning/gradient_optimizer.h"
#include "trainer/learning/learning_rate.h"

namespace slice {
namespace {

constexpr size_t kChunk = 8192;
constexpr double kWeightDecay = 0.01;
constexpr double kMaxGradientNorm = 1.0;

// A node to walk from, and the position of the context among the contexts of
// that node.
struct WalkStart {
  NodeId node;
  int context;
};

// Contexts with one masked node each. All arrays are parallel.
struct MaskedContexts {
  std::vector<EncodedLink> links;
  std::vector<int64_t> position;  // of the masked token
  std::vector<int64_t> answer;    // the masked node
};

void MaskOneToken(EncodedLink& link, Random& random, int64_t& position,
                  int64_t& answer) {
  auto& tokens = link.contexts[0].tokens;
  position = random.Below(static_cast<uint32_t>(tokens.size()));
  ContextToken& token = tokens[position];
  answer = token.node;
  token.node = kNoNode;
  token.role = TokenRole::kMasked;
  token.features = {};
}

class Pretraining {
 public:
  Pretraining(torch::jit::Module& network, const GraphView& view,
              const ContextGenerator& generator, at::Tensor embeddings,
              const PretrainingOptions& options)
      : network_(network),
        view_(view),
        generator_(generator),
        embeddings_(std::move(embeddings), options.trained_columns),
        options_(options),
        random_(CombineHash(options.seed, 77)) {}

  absl::StatusOr<TrainingSummary> Run();

 private:
  void MakeHead();
  MaskedContexts Cut(std::span<const WalkStart> starts, int epoch) const;
  // The mean loss of the contexts [begin, end). Its autograd graph reads
  // `contexts` and `batch`, which must live until after backward().
  at::Tensor Loss(const MaskedContexts& contexts, size_t begin, size_t end,
                  ContextBatch& batch);
  // The losses [n] of the predictions `query` [n, dim], when `answers` [n] are
  // right. Each softmax runs over the answer and a sample of nodes. `table`
  // [nodes, dim] holds the embeddings.
  at::Tensor SampledLoss(const at::Tensor& table, const at::Tensor& query,
                         const at::Tensor& answers);
  absl::Status RunEpoch(int epoch, const std::vector<WalkStart>& starts,
                        TrainingSummary& summary, ProgressLine& progress);
  absl::StatusOr<double> Step(const MaskedContexts& contexts, size_t begin,
                              size_t end);

  torch::jit::Module& network_;
  const GraphView& view_;
  const ContextGenerator& generator_;
  EmbeddingInput embeddings_;
  const PretrainingOptions& options_;
  Random random_;
  at::Tensor head_weight_, head_bias_;  // thrown away after pre-training
  std::vector<at::Tensor> parameters_;
  std::unique_ptr<GradientOptimizer> optimizer_;
  int64_t step_ = 0, total_steps_ = 1;
};

void Pretraining::MakeHead() {
  const int64_t dim = embeddings_.Table().size(1);
  const int64_t width = network_.get_method("encoding_width")({}).toInt();
  head_weight_ = at::randn({dim, width}) / std::sqrt(double(width));
  head_bias_ = at::zeros({dim});
  for (at::Tensor* head : {&head_weight_, &head_bias_}) {
    head->set_requires_grad(true);
    parameters_.push_back(*head);
  }
  for (const auto& parameter : network_.named_parameters()) {
    const bool of_scores = parameter.name.rfind("structural_", 0) == 0 ||
                           parameter.name.rfind("head_", 0) == 0;
    if (!of_scores) parameters_.push_back(parameter.value);
  }
  if (embeddings_.is_trained()) parameters_.push_back(embeddings_.parameter());
  optimizer_ = MakeAdamW({parameters_}, options_.learning_rate, kWeightDecay);
}

MaskedContexts Pretraining::Cut(std::span<const WalkStart> starts,
                                int epoch) const {
  MaskedContexts contexts;
  contexts.links.resize(starts.size());
  contexts.position.resize(starts.size());
  contexts.answer.resize(starts.size());
  const auto relations =
      static_cast<uint32_t>(view_.snapshot().relation_count());
  const auto cut_one = [&](size_t i) {
    const auto [node, context] = starts[i];
    const uint64_t draw =
        static_cast<uint64_t>(epoch) * options_.contexts_per_node + context;
    const uint64_t seed = CombineHash(CombineHash(options_.seed, node), draw);
    Random random(seed);
    EncodedLink& link = contexts.links[i];
    link.contexts = {generator_.CutAround(view_, node, seed, options_.walk)};
    link.link = {node, static_cast<RelationId>(random.Below(relations)), node};
    MaskOneToken(link, random, contexts.position[i], contexts.answer[i]);
  };
  ParallelFor(starts.size(), 64, options_.threads,
              [&](size_t begin, size_t end, int) {
                for (size_t i = begin; i < end; ++i) cut_one(i);
              });
  return contexts;
}

at::Tensor Pretraining::SampledLoss(const at::Tensor& table,
                                    const at::Tensor& query,
                                    const at::Tensor& answers) {
  const int64_t nodes = table.size(0);
  at::Tensor sample = at::empty({options_.samples}, at::kLong);
  for (int64_t i = 0; i < options_.samples; ++i) {
    sample.data_ptr<int64_t>()[i] = random_.Below(static_cast<uint32_t>(nodes));
  }
  const at::Tensor own = (query * table.index_select(0, answers)).sum(-1, true);
  // The sample is uniform, so each of its nodes counts for nodes / samples
  // nodes.
  const double weight = std::log(static_cast<double>(nodes) / options_.samples);
  const at::Tensor others =
      (at::mm(query, table.index_select(0, sample).t()) + weight)
          .masked_fill(answers.unsqueeze(1) == sample.unsqueeze(0), -1e9);
  return at::logsumexp(at::cat({own, others}, 1), 1) - own.squeeze(1);
}

at::Tensor Pretraining::Loss(const MaskedContexts& contexts, size_t begin,
                             size_t end, ContextBatch& batch) {
  std::vector<const EncodedLink*> links;
  for (size_t i = begin; i < end; ++i) links.push_back(&contexts.links[i]);
  batch = ContextBatch::Assemble(links);
  const at::Tensor table = embeddings_.Table();
  auto inputs = NetworkInputs(table, batch, at::kCPU);
  inputs.pop_back();  // encode() takes no pair features
  const at::Tensor hidden =
      network_.get_method("encode")(std::move(inputs)).toTensor();
  const auto count = static_cast<int64_t>(end - begin);
  const at::Tensor position =
      at::from_blob(const_cast<int64_t*>(contexts.position.data() + begin),
                    {count}, at::kLong);
  const at::Tensor answers = at::from_blob(
      const_cast<int64_t*>(contexts.answer.data() + begin), {count}, at::kLong);
  const at::Tensor masked = hidden.index({at::arange(count), position});
  // Scaled as in attention, since the embeddings have unit mean square.
  const at::Tensor query = at::linear(masked, head_weight_, head_bias_) /
                           std::sqrt(static_cast<double>(table.size(1)));
  if (table.size(0) > static_cast<int64_t>(options_.full_softmax_nodes)) {
    return SampledLoss(table, query, answers).mean();
  }
  return at::cross_entropy_loss(at::mm(query, table.t()), answers);
}

absl::StatusOr<double> Pretraining::Step(const MaskedContexts& contexts,
                                         size_t begin, size_t end) {
  const double rate =
      OneCycleRate(options_.learning_rate, step_++, total_steps_);
  optimizer_->SetRate(0, rate);
  optimizer_->ClearGradients();
  ContextBatch batch;
  const at::Tensor loss = Loss(contexts, begin, end, batch);
  loss.backward();
  const double value = loss.item<double>();
  if (!std::isfinite(value)) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "the pre-training loss is %g: lower --pretrain-learning-rate (now %g)",
        value, options_.learning_rate));
  }
  ClipGradients(parameters_, kMaxGradientNorm);
  optimizer_->Step();
  return value;
}

absl::Status Pretraining::RunEpoch(int epoch,
                                   const std::vector<WalkStart>& starts,
                                   TrainingSummary& summary,
                                   ProgressLine& progress) {
  std::vector<WalkStart> order = starts;
  std::shuffle(order.begin(), order.end(), random_);
  const auto policy =
      options_.threads > 1 ? std::launch::async : std::launch::deferred;
  const auto cut = [&](size_t begin) {
    const size_t count = std::min(kChunk, order.size() - begin);
    return Cut(std::span(order).subspan(begin, count), epoch);
  };
  double total = 0;
  uint64_t seen = 0;
  std::future<MaskedContexts> next = std::async(policy, cut, 0);
  for (size_t begin = 0; begin < order.size(); begin += kChunk) {
    const MaskedContexts contexts = next.get();
    if (begin + kChunk < order.size()) {
      next = std::async(policy, cut, begin + kChunk);
    }
    for (size_t at = 0; at < contexts.links.size(); at += options_.batch_size) {
      const size_t end =
          std::min(at + options_.batch_size, contexts.links.size());
      SLICE_ASSIGN_OR_RETURN(const double loss, Step(contexts, at, end));
      total += loss * static_cast<double>(end - at);
      seen += end - at;
      progress.SetNote(absl::StrFormat("loss %.3f", total / seen));
      progress.Advance(end - at);
    }
  }
  summary.losses.push_back(total / std::max<uint64_t>(seen, 1));
  summary.examples += seen;
  return absl::OkStatus();
}

absl::StatusOr<TrainingSummary> Pretraining::Run() {
  const absl::Time start = absl::Now();
  std::vector<WalkStart> starts;
  for (NodeId node = 0; node < view_.node_count(); ++node) {
    if (view_.NeighborCount(node) == 0) continue;
    for (int context = 0; context < options_.contexts_per_node; ++context) {
      starts.push_back({node, context});
    }
  }
  if (starts.empty()) {
    return absl::FailedPreconditionError(
        "no node has a link to walk along: there is nothing to pre-train on; "
        "use --pretrain-epochs 0");
  }
  MakeHead();
  network_.train();
  const uint64_t total = starts.size() * options_.epochs;
  total_steps_ =
      options_.epochs * StepsOfPass(starts.size(), kChunk, options_.batch_size);
  ProgressLine progress("pre-training", total, "contexts");
  TrainingSummary summary;
  for (int epoch = 0; epoch < options_.epochs; ++epoch) {
    SLICE_RETURN_IF_ERROR(RunEpoch(epoch, starts, summary, progress));
    summary.best_epoch = epoch;
  }
  embeddings_.StoreTrained();
  summary.seconds = absl::ToDoubleSeconds(absl::Now() - start);
  progress.Finish(absl::StrFormat("loss %.3f (first epoch %.3f)",
                                  summary.losses.back(), summary.losses[0]));
  return summary;
}

}  // namespace

absl::StatusOr<TrainingSummary> PretrainNetwork(
    torch::jit::Module& network, const GraphView& view,
    const ContextGenerator& generator, const at::Tensor& embeddings,
    const PretrainingOptions& options) {
  at::manual_seed(options.seed);
  Pretraining run(network, view, generator, embeddings, options);
  return CatchTorchErrors([&] { return run.Run(); });
}

}  // namespace slice
