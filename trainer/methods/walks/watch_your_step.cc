// An epoch takes one walk from each node that has a link, in batches of starts
// in random order, with one step of Adagrad for each batch. Valid tells when to
// stop. Nodes without a link get the mean vectors of their type.
#include "trainer/methods/walks/watch_your_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/logging.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "graphstore/graph_view.h"
#include "trainer/embedding/random_walks.h"
#include "trainer/embedding/type_means.h"
#include "trainer/methods/adagrad_step.h"
#include "trainer/methods/embedding_method.h"
#include "trainer/methods/epoch_loop.h"
#include "trainer/methods/method_evaluation.h"
#include "trainer/methods/walks/walk_attention.h"
#include "trainer/methods/walks/walk_method.h"

namespace slice {
namespace {

struct WatchOptions {
  size_t dim, steps, negatives, batch;
  double walks, decay, learning_rate;
};

WatchOptions ReadOptions(const ParameterValues& parameters) {
  const auto whole = [&](const char* name) {
    return static_cast<size_t>(parameters.Whole(name));
  };
  return {whole("dim"),
          whole("window"),
          whole("negatives"),
          whole("batch"),
          parameters.Number("walks"),
          parameters.Number("decay"),
          parameters.Number("learning_rate")};
}

class WatchLearner final : public EpochLearner {
 public:
  WatchLearner(const MethodInput& input, const WatchOptions& options)
      : input_(input),
        options_(options),
        graph_(GraphView(*input.snapshot)),
        walks_(graph_, {.length = static_cast<int>(options.steps) + 1,
                        .seed = CombineHash(input.seed, 21)}),
        order_(graph_.LinkedNodes()),
        linked_(graph_.node_count()),
        random_(CombineHash(input.seed, 22)) {
    for (const NodeId node : order_) linked_[node] = true;
    const size_t nodes = graph_.node_count();
    model_.dim = options.dim;
    const size_t size = nodes * options.dim;
    const double bound = 1 / std::sqrt(static_cast<double>(options.dim));
    model_.left = RandomTable(size, bound, CombineHash(input.seed, 23));
    model_.right = RandomTable(size, bound, CombineHash(input.seed, 24));
    model_.step_logits.assign(options.steps, 0);
    left_squares_.resize(model_.left.size());
    right_squares_.resize(model_.right.size());
    step_squares_.resize(options.steps);
    loss_.non_links = static_cast<double>(nodes) / options.walks;
    loss_.decay = options.decay;
    loss_.threads = input.threads;
  }

  absl::StatusOr<double> RunEpoch(int epoch, std::string* batch_name) override {
    std::shuffle(order_.begin(), order_.end(), random_);
    double total = 0;
    const auto step = [&](std::span<const NodeId> starts) {
      const double loss = Step(Sample(epoch, starts));
      total += loss * static_cast<double>(starts.size());
      return std::isfinite(loss);
    };
    return ForEachBatch(order_, options_.batch, batch_name, step)
               ? total / static_cast<double>(order_.size())
               : std::numeric_limits<double>::quiet_NaN();
  }

  absl::StatusOr<double> MeasureValid() override {
    return AurocOn(*MakeMethod({}), input_.valid, input_.threads);
  }
  void Keep() override { kept_ = model_; }
  void Restore() override { model_ = kept_; }

  // Whether any node has a link to another one.
  bool HasWalks() const { return !order_.empty(); }

  std::unique_ptr<const TrainedMethod> MakeMethod(MethodSummary summary) const {
    std::vector<float> left = model_.left, right = model_.right;
    FillWithTypeMeans(*input_.snapshot, linked_, model_.dim, left);
    FillWithTypeMeans(*input_.snapshot, linked_, model_.dim, right);
    return std::make_unique<const InputOutputMethod>(
        std::move(left), std::move(right), model_.dim, std::move(summary));
  }

  // "0.61 0.24 0.15": the attention to each step.
  std::string Attention() const {
    return absl::StrJoin(model_.StepShares(), " ",
                         [](std::string* out, double share) {
                           absl::StrAppendFormat(out, "%.2f", share);
                         });
  }

 private:
  WalkSample Sample(int epoch, std::span<const NodeId> starts) {
    WalkSample sample;
    sample.steps = options_.steps;
    sample.noise = options_.negatives;
    sample.starts.assign(starts.begin(), starts.end());
    const size_t length = options_.steps + 1;
    std::vector<NodeId> walks(starts.size() * length);
    walks_.Walk(starts, static_cast<uint64_t>(epoch), walks);
    for (size_t i = 0; i < starts.size(); ++i) {
      sample.visited.insert(
          sample.visited.end(),
          walks.begin() + static_cast<int64_t>(i * length + 1),
          walks.begin() + static_cast<int64_t>((i + 1) * length));
      for (size_t k = 0; k < options_.negatives; ++k) {
        const NodeId node =
            random_.Below(static_cast<uint32_t>(graph_.node_count()));
        const bool is_link =
            node == starts[i] || graph_.AreNeighbors(node, starts[i]);
        sample.drawn.push_back(is_link ? kNoNode : node);
      }
    }
    return sample;
  }

  double Step(const WalkSample& sample) {
    const WalkGradients gradients = Differentiate(model_, sample, loss_);
    if (!std::isfinite(gradients.loss)) return gradients.loss;
    const auto rate = static_cast<float>(options_.learning_rate);
    UpdateRows({sample.starts,
                {gradients.left.data()},
                model_.dim,
                model_.dim,
                rate,
                input_.threads},
               model_.left, left_squares_);
    UpdateRows({gradients.rows,
                {gradients.right.data()},
                model_.dim,
                model_.dim,
                rate,
                input_.threads},
               model_.right, right_squares_);
    TakeAdagradStep({rate, gradients.step_logits.data(), options_.steps,
                     model_.step_logits.data(), step_squares_.data()});
    return gradients.loss;
  }

  const MethodInput& input_;
  const WatchOptions options_;
  const WalkGraph graph_;
  const RandomWalks walks_;
  std::vector<NodeId> order_;
  std::vector<bool> linked_;
  Random random_;
  WalkLossOptions loss_;
  WalkAttention model_, kept_;
  std::vector<float> left_squares_, right_squares_, step_squares_;
};

absl::StatusOr<std::unique_ptr<const TrainedMethod>> Train(
    const MethodInput& input, const ParameterValues& parameters) {
  WatchLearner learner(input, ReadOptions(parameters));
  if (!learner.HasWalks()) return NoWalksError();
  SLICE_ASSIGN_OR_RETURN(MethodSummary summary,
                         RunWalkEpochs(input, parameters, input.budget,
                                       "Watch Your Step", learner));
  LogInfo("attention to the steps of a walk: %s", learner.Attention());
  absl::StrAppend(&summary.stopped, "; attention to the steps of a walk ",
                  learner.Attention());
  return learner.MakeMethod(std::move(summary));
}

double EstimateMib(const MethodInput& input,
                   const ParameterValues& parameters) {
  const auto nodes = static_cast<double>(input.snapshot->node_count());
  const auto links = static_cast<double>(input.snapshot->link_count());
  const double dim = parameters.Whole("dim"), batch = parameters.Whole("batch");
  // Two tables four times: values, squares, the best ones, and the copy that is
  // measured.
  const double tables = 8 * nodes * dim;
  // Gradients of the rows that a batch uses, at most all, and its walks.
  const double entries =
      batch * (parameters.Whole("window") + parameters.Whole("negatives"));
  const double steps =
      (std::min(nodes, batch) + std::min(nodes, entries)) * dim + 4 * entries;
  constexpr double kOfLink = 16;  // bytes of the graph that walks go over
  return ((tables + steps) * sizeof(float) + kOfLink * links) / (1 << 20);
}

}  // namespace

MethodInfo WatchYourStepMethod() {
  using P = MethodParameter;
  MethodInfo info;
  info.name = "watch-your-step";
  info.title = "Watch Your Step";
  info.description =
      "products that tell how often walks visit a node, with learnt attention "
      "to the steps of a walk";
  info.paper = "Abu-El-Haija et al., NeurIPS 2018";
  info.parameters = {
      P::Whole("dim", 128, 1, 4096, "numbers per node, in each of two vectors"),
      P::Whole("window", 10, 1, 100, "steps of a walk"),
      P::Number("walks", 2000, 1e-3, 1e9,
                "walks from a node that the loss weighs against its non-links"),
      P::Whole("negatives", 20, 1, 1000,
               "nodes drawn for a walk, which stand for all non-links"),
      P::Number("decay", 0.02, 0, 1e6, "of the attention"),
  };
  for (const P& parameter :
       WalkEpochParameters({.epochs = 100, .batch = 512, .look_every = 5})) {
    info.parameters.push_back(parameter);
  }
  info.train = Train;
  info.memory = EstimateMib;
  return info;
}

}  // namespace slice
