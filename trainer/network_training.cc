#include "trainer/network_training.h"

#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adamw.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <future>
#include <memory>
#include <numeric>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/progress.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "model/network.h"
#include "model/torch_status.h"
#include "trainer/learning_rate.h"
#include "trainer/metrics.h"

namespace slice {
namespace {

constexpr size_t kChunkPositives = 4096;
constexpr size_t kMicroBatch = 128;
constexpr size_t kValidBatch = 256;
constexpr double kMaxGradientNorm = 1.0;

using LinkPointers = std::vector<const EncodedLink*>;

// The logits [links] of a batch under the scope being trained. The graph that
// leads to them reads `batch`, which must live until after backward().
torch::Tensor Logits(torch::jit::Module& network, TrainingScope scope,
                     const torch::Tensor& embeddings,
                     std::span<const EncodedLink* const> links,
                     ContextBatch& batch) {
  if (scope == TrainingScope::kWhole) {
    batch = ContextBatch::Assemble(links);
    const torch::Tensor outputs =
        network.forward(NetworkInputs(embeddings, batch, torch::kCPU))
            .toTensor();
    return outputs.select(1, 0);
  }
  const auto count = static_cast<int64_t>(links.size());
  const auto width = static_cast<int64_t>(links[0]->pair_features.size());
  torch::Tensor relation = torch::empty({count}, torch::kInt64);
  torch::Tensor features = torch::empty({count, width});
  for (int64_t i = 0; i < count; ++i) {
    relation.data_ptr<int64_t>()[i] = links[i]->link.relation;
    std::copy(links[i]->pair_features.begin(), links[i]->pair_features.end(),
              features.data_ptr<float>() + i * width);
  }
  return network.get_method("structural")({relation, features}).toTensor();
}

size_t TokenCount(const EncodedLink& link) {
  return link.contexts.empty() ? 0 : link.contexts[0].tokens.size();
}

// One network, its optimiser and its best state so far.
class Arm {
 public:
  Arm(torch::jit::Module* network, TrainingScope scope,
      const torch::Tensor& embeddings, const NetworkTrainingOptions& options)
      : network_(network),
        scope_(scope),
        embeddings_(embeddings),
        options_(options) {
    std::vector<torch::Tensor> structural, rest;
    for (const auto& parameter : network->named_parameters()) {
      const bool is_structural = parameter.name.rfind("structural_", 0) == 0;
      if (is_structural) structural.push_back(parameter.value);
      if (!is_structural && scope == TrainingScope::kWhole) {
        rest.push_back(parameter.value);
      }
    }
    std::vector<torch::optim::OptimizerParamGroup> groups;
    for (auto* parameters : {&rest, &structural}) {
      if (parameters->empty()) continue;
      parameters_.insert(parameters_.end(), parameters->begin(),
                         parameters->end());
      const bool slow =
          parameters == &structural && scope == TrainingScope::kWhole;
      rate_factors_.push_back(slow ? options.structural_rate : 1.0);
      groups.emplace_back(*parameters);
    }
    optimizer_ = std::make_unique<torch::optim::AdamW>(
        groups, torch::optim::AdamWOptions(options.learning_rate)
                    .weight_decay(options.weight_decay));
    KeepBest();
  }

  // One optimiser step at `rate` over `links`; returns the mean loss.
  absl::StatusOr<double> Step(std::span<const EncodedLink* const> links,
                              const std::vector<float>& labels, double rate);

  // Scores of `links`, in order.
  std::vector<float> Score(const LinkPointers& links);

  void KeepBest() {
    const torch::NoGradGuard no_grad;
    best_.clear();
    for (const torch::Tensor& p : parameters_) best_.push_back(p.clone());
  }
  void RestoreBest() {
    const torch::NoGradGuard no_grad;
    for (size_t i = 0; i < best_.size(); ++i) parameters_[i].copy_(best_[i]);
  }

  TrainingSummary summary;
  double epoch_loss = 0;

 private:
  torch::jit::Module* network_;
  TrainingScope scope_;
  torch::Tensor embeddings_;
  NetworkTrainingOptions options_;
  std::vector<torch::Tensor> parameters_, best_;
  std::vector<double> rate_factors_;
  std::unique_ptr<torch::optim::AdamW> optimizer_;
};

absl::StatusOr<double> Arm::Step(std::span<const EncodedLink* const> links,
                                 const std::vector<float>& labels,
                                 double rate) {
  for (size_t i = 0; i < rate_factors_.size(); ++i) {
    static_cast<torch::optim::AdamWOptions&>(
        optimizer_->param_groups()[i].options())
        .lr(rate * rate_factors_[i]);
  }
  optimizer_->zero_grad();
  double total = 0;
  // Micro-batches of like length accumulate the gradient of the whole batch
  // with little padding.
  const size_t micro =
      scope_ == TrainingScope::kWhole ? kMicroBatch : links.size();
  for (size_t begin = 0; begin < links.size(); begin += micro) {
    const size_t count = std::min(micro, links.size() - begin);
    const torch::Tensor target =
        torch::from_blob(const_cast<float*>(labels.data() + begin),
                         {static_cast<int64_t>(count)});
    ContextBatch batch;
    const torch::Tensor loss = torch::binary_cross_entropy_with_logits(
                                   Logits(*network_, scope_, embeddings_,
                                          links.subspan(begin, count), batch),
                                   target, {}, {}, at::Reduction::Sum) /
                               static_cast<double>(links.size());
    loss.backward();
    total += loss.item<double>();
  }
  if (!std::isfinite(total)) {
    return absl::InternalError(
        absl::StrFormat("the loss is %g: lower --learning_rate (now %g)", total,
                        options_.learning_rate));
  }
  torch::nn::utils::clip_grad_norm_(parameters_, kMaxGradientNorm);
  optimizer_->step();
  return total;
}

std::vector<float> Arm::Score(const LinkPointers& links) {
  const torch::NoGradGuard no_grad;
  network_->eval();
  std::vector<float> scores;
  for (size_t begin = 0; begin < links.size(); begin += kValidBatch) {
    const size_t count = std::min(kValidBatch, links.size() - begin);
    ContextBatch batch;
    const torch::Tensor logits =
        Logits(*network_, scope_, embeddings_,
               std::span(links).subspan(begin, count), batch)
            .contiguous();
    const float* values = logits.data_ptr<float>();
    scores.insert(scores.end(), values, values + count);
  }
  network_->train();
  return scores;
}

// One training run over all arms.
class TrainingRun {
 public:
  TrainingRun(std::span<torch::jit::Module> networks, TrainingScope scope,
              const TrainingData& data, const NetworkTrainingOptions& options)
      : data_(data), options_(options) {
    for (torch::jit::Module& network : networks) {
      network.train();
      arms_.push_back(
          std::make_unique<Arm>(&network, scope, data.embeddings, options));
    }
    PrepareValid();
  }

  absl::StatusOr<std::vector<TrainingSummary>> Run(const std::string& title);

 private:
  void PrepareValid();
  absl::Status RunEpoch(int epoch, ProgressLine& progress);
  absl::Status RunChunk(const ExampleChunk& chunk, Random& random);
  // Calls body(arm) for every arm, at once when there are threads for it.
  absl::Status ForEachArm(const std::function<absl::Status(Arm&)>& body);
  // Returns whether any arm got better lately.
  absl::StatusOr<bool> Validate(int epoch);

  const TrainingData& data_;
  const NetworkTrainingOptions& options_;
  std::vector<std::unique_ptr<Arm>> arms_;
  LinkPointers valid_;  // by length
  std::vector<uint8_t> valid_labels_;
  int64_t step_ = 0, total_steps_ = 1;
};

void TrainingRun::PrepareValid() {
  const ExampleChunk& valid = *data_.valid;
  std::vector<size_t> order(valid.links.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return TokenCount(valid.links[a]) < TokenCount(valid.links[b]);
  });
  for (size_t i : order) {
    valid_.push_back(&valid.links[i]);
    valid_labels_.push_back(valid.labels[i] > 0.5f);
  }
}

absl::Status TrainingRun::ForEachArm(
    const std::function<absl::Status(Arm&)>& body) {
  const auto guarded = [&](Arm& arm) {
    return CatchTorchErrors([&] { return body(arm); });
  };
  std::vector<absl::Status> statuses(arms_.size());
  std::vector<std::jthread> helpers;
  for (size_t i = 1; i < arms_.size(); ++i) {
    const auto work = [&, i] { statuses[i] = guarded(*arms_[i]); };
    if (options_.threads > 1) {
      helpers.emplace_back(work);
    } else {
      work();
    }
  }
  statuses[0] = guarded(*arms_[0]);
  helpers.clear();
  for (const absl::Status& status : statuses) SLICE_RETURN_IF_ERROR(status);
  return absl::OkStatus();
}

absl::Status TrainingRun::RunChunk(const ExampleChunk& chunk, Random& random) {
  std::vector<uint32_t> order(chunk.links.size());
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), random);
  const size_t size = options_.batch_size;
  for (size_t begin = 0; begin < order.size(); begin += size) {
    const size_t end = std::min(begin + size, order.size());
    std::sort(order.begin() + begin, order.begin() + end,
              [&](uint32_t a, uint32_t b) {
                const size_t x = TokenCount(chunk.links[a]);
                const size_t y = TokenCount(chunk.links[b]);
                return x != y ? x < y : a < b;
              });
    LinkPointers links;
    std::vector<float> labels;
    for (size_t i = begin; i < end; ++i) {
      links.push_back(&chunk.links[order[i]]);
      labels.push_back(chunk.labels[order[i]]);
    }
    const double rate =
        OneCycleRate(options_.learning_rate, step_++, total_steps_);
    SLICE_RETURN_IF_ERROR(ForEachArm([&](Arm& arm) -> absl::Status {
      SLICE_ASSIGN_OR_RETURN(const double loss, arm.Step(links, labels, rate));
      arm.epoch_loss += loss * static_cast<double>(links.size());
      arm.summary.examples += links.size();
      return absl::OkStatus();
    }));
  }
  return absl::OkStatus();
}

absl::Status TrainingRun::RunEpoch(int epoch, ProgressLine& progress) {
  const std::vector<Link> positives =
      data_.examples->EpochPositives(epoch, options_.positives_per_epoch);
  const auto encode = [&](size_t begin) {
    const size_t count = std::min(kChunkPositives, positives.size() - begin);
    return data_.examples->Encode(*data_.encoder,
                                  std::span(positives).subspan(begin, count),
                                  epoch, options_.threads);
  };
  const auto policy =
      options_.threads > 1 ? std::launch::async : std::launch::deferred;
  Random random(CombineHash(options_.seed, 1000 + epoch));
  for (auto& arm : arms_) arm->epoch_loss = 0;
  std::future<ExampleChunk> next = std::async(policy, encode, 0);
  uint64_t seen = 0;
  for (size_t begin = 0; begin < positives.size(); begin += kChunkPositives) {
    const ExampleChunk chunk = next.get();
    if (begin + kChunkPositives < positives.size()) {
      next = std::async(policy, encode, begin + kChunkPositives);
    }
    SLICE_RETURN_IF_ERROR(RunChunk(chunk, random));
    seen += chunk.links.size();
    progress.SetNote(absl::StrFormat("loss %.4f", arms_[0]->epoch_loss / seen));
    progress.Advance(chunk.links.size());
  }
  for (auto& arm : arms_) {
    arm->summary.losses.push_back(arm->epoch_loss /
                                  std::max<uint64_t>(seen, 1));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> TrainingRun::Validate(int epoch) {
  SLICE_RETURN_IF_ERROR(ForEachArm([&](Arm& arm) -> absl::Status {
    const double auroc = Auroc(arm.Score(valid_), valid_labels_);
    auto& history = arm.summary.valid_auroc;
    history.push_back(auroc);
    if (auroc >= *std::max_element(history.begin(), history.end())) {
      arm.summary.best_epoch = epoch;
      arm.KeepBest();
    }
    return absl::OkStatus();
  }));
  return std::any_of(arms_.begin(), arms_.end(), [&](const auto& arm) {
    return epoch - arm->summary.best_epoch < options_.patience;
  });
}

absl::StatusOr<std::vector<TrainingSummary>> TrainingRun::Run(
    const std::string& title) {
  const absl::Time start = absl::Now();
  const TrainingExamples& examples = *data_.examples;
  const size_t limit = options_.positives_per_epoch;
  const size_t positives = limit == 0
                               ? examples.positive_count()
                               : std::min(limit, examples.positive_count());
  const uint64_t per_epoch = positives * examples.examples_per_positive();
  const uint64_t batches = per_epoch / options_.batch_size + 1;
  total_steps_ = static_cast<int64_t>(batches * options_.epochs);
  ProgressLine progress(title, per_epoch * options_.epochs, "examples");
  for (int epoch = 0; epoch < options_.epochs; ++epoch) {
    SLICE_RETURN_IF_ERROR(RunEpoch(epoch, progress));
    SLICE_ASSIGN_OR_RETURN(const bool going_on, Validate(epoch));
    if (!going_on) break;
  }
  std::vector<TrainingSummary> summaries;
  for (auto& arm : arms_) {
    arm->RestoreBest();
    arm->summary.seconds = absl::ToDoubleSeconds(absl::Now() - start);
    summaries.push_back(arm->summary);
  }
  const TrainingSummary& first = summaries[0];
  progress.Finish(absl::StrFormat(
      "loss %.4f, valid AUROC %.2f %% (epoch %d of %d)",
      first.losses[first.best_epoch], 100 * first.valid_auroc[first.best_epoch],
      first.best_epoch + 1, static_cast<int>(first.losses.size())));
  return summaries;
}

}  // namespace

absl::StatusOr<std::vector<TrainingSummary>> TrainNetworks(
    std::span<torch::jit::Module> arms, TrainingScope scope,
    const TrainingData& data, const NetworkTrainingOptions& options,
    const std::string& title) {
  if (data.examples->positive_count() == 0) {
    return absl::FailedPreconditionError(
        "there is no train link to learn from: the training file is too small "
        "to be split into folds");
  }
  torch::manual_seed(options.seed);
  TrainingRun run(arms, scope, data, options);
  return run.Run(title);
}

}  // namespace slice
