// A step, in this order:
//   1. the batch and its lists are cut into one share per replica; a thread per
//      share computes losses and gradients, micro-batch by micro-batch. Losses
//      are divided by the weight of the whole batch, so that gradients may
//      simply be added;
//   2. the gradients of all replicas are added to those of replica 0, which is
//      the network itself, and clipped;
//   3. the optimiser moves the network, and the other replicas copy it.
// The parameters are ordered: first those of all but the structural scorer,
// then those of the structural scorer, then the embeddings if they are trained.
// All replicas have this order.
#include "trainer/learning/trained_network.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include "absl/strings/str_format.h"
#include "model/torch/network.h"
#include "trainer/learning/embedding_input.h"

namespace slice {
namespace {

constexpr size_t kMicroBatch = 128;
constexpr size_t kScoreBatch = 256;
constexpr double kMaxGradientNorm = 1.0;
constexpr int64_t kOutputs = kScorers * kQuestions;

using LinkPointers = std::vector<const EncodedLink*>;

LinkPointers LinksOf(const ExampleBatch& batch) {
  LinkPointers links;
  links.reserve(batch.positions.size());
  for (const uint32_t position : batch.positions) {
    links.push_back(&batch.chunk->links[position]);
  }
  return links;
}

// The logits of the structural scorer, [links, kQuestions].
at::Tensor StructuralLogits(torch::jit::Module& network,
                            const LinkPointers& links) {
  const auto count = static_cast<int64_t>(links.size());
  const auto width = static_cast<int64_t>(links[0]->pair_features.size());
  at::Tensor relation = at::empty({count}, at::kLong);
  at::Tensor features = at::empty({count, width});
  for (int64_t i = 0; i < count; ++i) {
    relation.data_ptr<int64_t>()[i] = links[i]->link.relation;
    std::copy(links[i]->pair_features.begin(), links[i]->pair_features.end(),
              features.data_ptr<float>() + i * width);
  }
  return network.get_method("structural")({relation, features}).toTensor();
}

// Pools the outputs of each link's contexts: from [contexts, outputs] to
// [links, outputs].
at::Tensor PoolContexts(const at::Tensor& outputs, const ContextBatch& batch,
                        ContextPooling pooling) {
  if (batch.rows == batch.links) return outputs;
  if (pooling == ContextPooling::kMax) {
    // All links have the same number of contexts, and the rows of one link are
    // adjacent.
    return outputs.view({batch.links, batch.rows / batch.links, -1}).amax(1);
  }
  const at::Tensor link = at::tensor(batch.row_link);
  const at::Tensor sums =
      at::zeros({batch.links, outputs.size(1)}).index_add(0, link, outputs);
  return sums * (static_cast<double>(batch.links) / batch.rows);
}

// The logits [links, outputs of the scope]. Fills `batch`, which must live
// until after backward(), since the autograd graph of the logits reads it.
at::Tensor Logits(torch::jit::Module& network, TrainingScope scope,
                  ContextPooling pooling, const at::Tensor& embeddings,
                  const LinkPointers& links, ContextBatch& batch) {
  if (scope == TrainingScope::kStructural) {
    return StructuralLogits(network, links);
  }
  batch = ContextBatch::Assemble(links);
  return PoolContexts(
      network.forward(NetworkInputs(embeddings, batch, at::kCPU)).toTensor(),
      batch, pooling);
}

// The sum of the cross-entropies over all examples, both questions and all
// trained scorers. Each example counts by its weights.
at::Tensor LossSum(const at::Tensor& logits, const ExampleBatch& batch) {
  const auto count = static_cast<int64_t>(batch.positions.size());
  at::Tensor labels = at::empty({count, 1});
  at::Tensor weights = at::empty({count, kQuestions});
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t position = batch.positions[i];
    labels.data_ptr<float>()[i] = batch.chunk->labels[position];
    std::copy_n(batch.chunk->weights[position].data(), kQuestions,
                weights.data_ptr<float>() + i * kQuestions);
  }
  const int64_t scorers = logits.size(1) / kQuestions;
  return at::binary_cross_entropy_with_logits(logits, labels.expand_as(logits),
                                              weights.repeat({1, scorers}), {},
                                              at::Reduction::Sum);
}

// The sum of the examples' weights, averaged over the questions.
double WeightOf(const ExampleBatch& batch) {
  double sum = 0;
  for (const uint32_t position : batch.positions) {
    for (const float weight : batch.chunk->weights[position]) sum += weight;
  }
  return sum / kQuestions;
}

// The sum of the losses of lists of `length` links, for the logits [links,
// outputs], over all trained scorers.
at::Tensor ListLossSum(const at::Tensor& logits, size_t length) {
  constexpr auto kAmongKind = static_cast<int64_t>(Question::kAmongKind);
  const auto columns = static_cast<int64_t>(length);
  // [lists, length, scorers]
  const at::Tensor scores =
      logits.view({-1, columns, logits.size(1) / kQuestions, kQuestions})
          .select(3, kAmongKind);
  return (at::logsumexp(scores, 1) - scores.select(1, 0)).sum();
}

torch::jit::Module CopyOf(const torch::jit::Module& network) {
  const at::NoGradGuard no_grad;  // so that the copies are leaves
  torch::jit::Module copy = network.deepcopy();
  for (const auto& parameter : copy.named_parameters()) {
    parameter.value.set_requires_grad(true);
  }
  copy.train();
  return copy;
}

bool IsStructural(const std::string& parameter) {
  return parameter.rfind("structural_", 0) == 0;
}

// Adds the gradients of a replica to those of the network.
void AddGradientsOf(std::span<const at::Tensor> replica,
                    std::span<at::Tensor> parameters) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    const at::Tensor& gradient = replica[i].grad();
    if (!gradient.defined()) continue;
    if (parameters[i].grad().defined()) {
      parameters[i].mutable_grad().add_(gradient);
    } else {
      parameters[i].mutable_grad() = gradient.clone();
    }
  }
}

void CopyValues(std::span<const at::Tensor> from, std::span<at::Tensor> to) {
  for (size_t i = 0; i < from.size(); ++i) to[i].copy_(from[i]);
}

}  // namespace

size_t TokenCount(const EncodedLink& link) {
  return link.contexts.empty() ? 0 : link.contexts[0].tokens.size();
}

struct TrainedNetwork::Replica {
  torch::jit::Module module;
  EmbeddingInput embeddings;
  std::vector<at::Tensor> parameters;  // parallel to the network's
};

TrainedNetwork::TrainedNetwork(torch::jit::Module* network, TrainingScope scope,
                               const at::Tensor& embeddings,
                               const NetworkTrainingOptions& options)
    : network_(network), scope_(scope), options_(options) {
  network->train();
  const auto parameters_of = [&](const torch::jit::Module& module,
                                 bool structural) {
    std::vector<at::Tensor> parameters;
    for (const auto& parameter : module.named_parameters()) {
      if (IsStructural(parameter.name) != structural) continue;
      if (structural || scope == TrainingScope::kWhole) {
        parameters.push_back(parameter.value);
      }
    }
    return parameters;
  };
  ParameterGroups groups;
  for (const bool structural : {false, true}) {
    const auto parameters = parameters_of(*network, structural);
    if (parameters.empty()) continue;
    parameters_.insert(parameters_.end(), parameters.begin(), parameters.end());
    const bool slow = structural && scope == TrainingScope::kWhole;
    rate_factors_.push_back(slow ? options.structural_rate : 1.0);
    groups.push_back(parameters);
  }
  const int64_t trained_columns =
      scope == TrainingScope::kWhole ? options.trained_columns : 0;
  for (int i = 0; i < std::max(1, options.replicas); ++i) {
    auto replica = std::make_unique<Replica>(
        Replica{i == 0 ? *network : CopyOf(*network),
                EmbeddingInput(embeddings, trained_columns),
                {}});
    for (const bool structural : {false, true}) {
      const auto parameters = parameters_of(replica->module, structural);
      replica->parameters.insert(replica->parameters.end(), parameters.begin(),
                                 parameters.end());
    }
    if (replica->embeddings.is_trained()) {
      replica->parameters.push_back(replica->embeddings.parameter());
    }
    replicas_.push_back(std::move(replica));
  }
  if (trained_columns > 0) {
    parameters_.push_back(replicas_[0]->embeddings.parameter());
    rate_factors_.push_back(1.0);
    groups.push_back({parameters_.back()});
  }
  optimizer_ = MakeAdamW(groups, options.learning_rate, options.weight_decay);
  KeepBest();
}

TrainedNetwork::~TrainedNetwork() = default;

double TrainedNetwork::AddGradients(Replica& replica, const ExampleBatch& batch,
                                    double weight) {
  double total = 0;
  // Micro-batches of contexts of similar length need little padding.
  const size_t micro = scope_ == TrainingScope::kWhole
                           ? kMicroBatch
                           : std::max<size_t>(1, batch.positions.size());
  for (size_t begin = 0; begin < batch.positions.size(); begin += micro) {
    const ExampleBatch part = {
        batch.chunk,
        batch.positions.subspan(
            begin, std::min(micro, batch.positions.size() - begin))};
    ContextBatch contexts;
    const at::Tensor loss =
        LossSum(Logits(replica.module, scope_, options_.pooling,
                       replica.embeddings.Table(), LinksOf(part), contexts),
                part) /
        weight;
    loss.backward();
    total += loss.item<double>();
  }
  return total;
}

double TrainedNetwork::AddListGradients(Replica& replica,
                                        const ListBatch& lists, double weight) {
  double total = 0;
  const size_t length = lists.chunk->length;
  const size_t micro = std::max<size_t>(1, kMicroBatch / length);
  for (size_t begin = lists.begin; begin < lists.end; begin += micro) {
    const size_t end = std::min(begin + micro, lists.end);
    LinkPointers links;
    for (size_t i = begin * length; i < end * length; ++i) {
      links.push_back(&lists.chunk->links[i]);
    }
    ContextBatch contexts;
    const at::Tensor loss =
        ListLossSum(Logits(replica.module, scope_, options_.pooling,
                           replica.embeddings.Table(), links, contexts),
                    length) /
        weight;
    loss.backward();
    total += loss.item<double>();
  }
  return total;
}

absl::StatusOr<double> TrainedNetwork::Step(const ExampleBatch& batch,
                                            const ListBatch& lists,
                                            double rate) {
  for (size_t i = 0; i < rate_factors_.size(); ++i) {
    optimizer_->SetRate(i, rate * rate_factors_[i]);
  }
  const double weight = std::max(WeightOf(batch), 1e-6);
  const size_t shares = replicas_.size();
  std::vector<double> losses(shares, 0);
  const auto work = [&](size_t i) {
    Replica& replica = *replicas_[i];
    for (const at::Tensor& parameter : replica.parameters) {
      if (parameter.grad().defined()) parameter.grad().zero_();
    }
    const size_t begin = batch.positions.size() * i / shares;
    const size_t end = batch.positions.size() * (i + 1) / shares;
    if (begin == end) return;
    losses[i] = AddGradients(
        replica, {batch.chunk, batch.positions.subspan(begin, end - begin)},
        weight);
    const size_t count = lists.end - lists.begin;
    if (count == 0) return;
    losses[i] +=
        AddListGradients(replica,
                         {lists.chunk, lists.begin + count * i / shares,
                          lists.begin + count * (i + 1) / shares},
                         static_cast<double>(count) / options_.list_weight);
  };
  {
    std::vector<std::jthread> others;
    for (size_t i = 1; i < shares; ++i) others.emplace_back(work, i);
    work(0);
  }
  const double total = std::accumulate(losses.begin(), losses.end(), 0.0);
  if (!std::isfinite(total)) {
    return absl::OutOfRangeError(
        absl::StrFormat("the loss is %s at a learning rate of %g",
                        std::isnan(total) ? "not a number" : "infinite", rate));
  }
  const at::NoGradGuard no_grad;
  for (size_t i = 1; i < shares; ++i) {
    AddGradientsOf(replicas_[i]->parameters, parameters_);
  }
  ClipGradients(parameters_, kMaxGradientNorm);
  optimizer_->Step();
  for (size_t i = 1; i < shares; ++i) {
    CopyValues(parameters_, replicas_[i]->parameters);
  }
  return total;
}

std::vector<float> TrainedNetwork::Score(const ExampleBatch& batch) {
  return ScoreLinks(LinksOf(batch));
}

std::vector<float> TrainedNetwork::Score(const ListChunk& lists) {
  LinkPointers links;
  for (const EncodedLink& link : lists.links) links.push_back(&link);
  return ScoreLinks(links);
}

std::vector<float> TrainedNetwork::ScoreLinks(
    std::span<const EncodedLink* const> links) {
  const at::NoGradGuard no_grad;
  network_->eval();
  std::vector<float> scores(links.size() * kOutputs, 0.0f);
  for (size_t begin = 0; begin < links.size(); begin += kScoreBatch) {
    const auto part =
        links.subspan(begin, std::min(kScoreBatch, links.size() - begin));
    ContextBatch contexts;
    const at::Tensor logits =
        Logits(*network_, scope_, options_.pooling,
               replicas_[0]->embeddings.Table(),
               LinkPointers(part.begin(), part.end()), contexts)
            .contiguous();
    const int64_t width = logits.size(1);  // the last columns of a row
    for (size_t i = 0; i < part.size(); ++i) {
      std::copy_n(logits.data_ptr<float>() + i * width, width,
                  scores.data() + (begin + i + 1) * kOutputs - width);
    }
  }
  network_->train();
  return scores;
}

void TrainedNetwork::KeepBest() {
  const at::NoGradGuard no_grad;
  best_.clear();
  for (const at::Tensor& p : parameters_) best_.push_back(p.clone());
}

void TrainedNetwork::RestoreBest() {
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < best_.size(); ++i) parameters_[i].copy_(best_[i]);
  replicas_[0]->embeddings.StoreTrained();
}

}  // namespace slice
