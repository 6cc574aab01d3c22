// Training takes three steps:
//   1. The walks are chosen. Where nodes have types they follow metapaths (the
//      paper's asp2vec-het); otherwise they follow any link.
//   2. Plain skip-gram learns two vectors per node, to start from.
//   3. Training goes on from there with several aspect vectors per node.
// An epoch of step 3 takes one walk from each node that has a link. The starts
// come in random order, in batches with one step of Adagrad each. Valid tells
// when to stop.
//
// The parameter "score" chooses how vectors make a score. P is the centre
// vector of a node, and A is the mean of its aspect vectors:
//   input_output  <P_u, A_v> + <P_v, A_u>. Training learns the products of P
//                 with single aspects, weighted by the window; the score takes
//                 their mean.
//   dot           <U_u, U_v> with U = P + A. U is the paper's vector of a node.
#include "trainer/methods/walks/aspects/asp2vec.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "common/random.h"
#include "common/status_macros.h"
#include "trainer/embedding/type_means.h"
#include "trainer/methods/adagrad_step.h"
#include "trainer/methods/embedding_method.h"
#include "trainer/methods/epoch_loop.h"
#include "trainer/methods/method_evaluation.h"
#include "trainer/methods/walks/aspects/aspect_batches.h"
#include "trainer/methods/walks/aspects/aspect_skip_gram.h"
#include "trainer/methods/walks/aspects/aspect_start.h"
#include "trainer/methods/walks/aspects/aspect_walks.h"
#include "trainer/methods/walks/walk_method.h"
#include "trainer/methods/walks/walk_schemes.h"
#include "trainer/training_budget.h"

namespace slice {
namespace {

class AspectLearner final : public EpochLearner {
 public:
  AspectLearner(const MethodInput& input, const ParameterValues& parameters,
                const AspectWalks& walks, AspectModel start)
      : input_(input),
        input_output_(parameters.Word("score") == "input_output"),
        batch_size_(static_cast<size_t>(parameters.Whole("batch"))),
        rate_(static_cast<float>(parameters.Number("learning_rate"))),
        linked_(input.snapshot->node_count()),
        order_(walks.starts),
        random_(CombineHash(input.seed, 36)),
        first_round_(static_cast<uint64_t>(parameters.Whole("warm_walks"))),
        batches_(*walks.source, walks.starts,
                 BatchOptionsOf(input, parameters)),
        model_(std::move(start)),
        centre_squares_(model_.centres.size()),
        value_squares_(model_.values.size()) {
    for (const NodeId node : order_) linked_[node] = true;
    loss_.temperature = parameters.Number("temperature");
    loss_.diversity_weight = parameters.Number("diversity");
    loss_.diversity_threshold = parameters.Number("diversity_from");
    loss_.threads = input.threads;
  }

  absl::StatusOr<double> RunEpoch(int epoch, std::string* batch_name) override {
    std::shuffle(order_.begin(), order_.end(), random_);
    double total = 0, contexts = 0;
    const auto step = [&](std::span<const NodeId> starts) {
      const AspectBatch batch =
          batches_.Draw(starts, first_round_ + static_cast<uint64_t>(epoch));
      if (batch.windows() == 0) return true;
      const AspectGradients gradients =
          DifferentiateAspects(model_, batch, loss_);
      const double loss = gradients.loss + gradients.diversity;
      if (!std::isfinite(loss)) return false;
      Step(gradients);
      total += loss;
      contexts += static_cast<double>(gradients.contexts);
      return true;
    };
    return ForEachBatch(order_, batch_size_, batch_name, step)
               ? total / std::max(contexts, 1.0)
               : std::numeric_limits<double>::quiet_NaN();
  }

  absl::StatusOr<double> MeasureValid() override {
    return AurocOn(*MakeMethod({}), input_.valid, input_.threads);
  }
  void Keep() override { kept_ = model_; }
  void Restore() override { model_ = kept_; }

  std::unique_ptr<const TrainedMethod> MakeMethod(MethodSummary summary) const {
    const size_t dim = model_.dim;
    std::vector<float> centres = model_.centres, means = model_.MeanAspects();
    FillWithTypeMeans(*input_.snapshot, linked_, dim, centres);
    FillWithTypeMeans(*input_.snapshot, linked_, dim, means);
    if (input_output_) {
      return std::make_unique<const InputOutputMethod>(
          std::move(centres), std::move(means), dim, std::move(summary));
    }
    for (size_t i = 0; i < centres.size(); ++i) centres[i] += means[i];
    return std::make_unique<const DotProductMethod>(std::move(centres), dim,
                                                    std::move(summary));
  }

 private:
  static AspectBatchOptions BatchOptionsOf(const MethodInput& input,
                                           const ParameterValues& parameters) {
    AspectBatchOptions options;
    options.window = static_cast<size_t>(parameters.Whole("window"));
    options.negatives = static_cast<size_t>(parameters.Whole("negatives"));
    options.aspects = static_cast<size_t>(parameters.Whole("aspects"));
    options.seed = CombineHash(input.seed, 37);
    return options;
  }

  void Step(const AspectGradients& gradients) {
    UpdateRows({gradients.centre_rows,
                {gradients.centres.data()},
                model_.dim,
                model_.dim,
                rate_,
                input_.threads},
               model_.centres, centre_squares_);
    const size_t width = model_.aspects * model_.dim;
    UpdateRows({gradients.value_rows,
                {gradients.values.data()},
                width,
                width,
                rate_,
                input_.threads},
               model_.values, value_squares_);
  }

  const MethodInput& input_;
  const bool input_output_;
  const size_t batch_size_;
  const float rate_;
  std::vector<bool> linked_;  // [nodes]
  std::vector<NodeId> order_;
  Random random_;
  const uint64_t first_round_;  // of walks that the warm start has not seen
  const AspectBatches batches_;
  AspectLossOptions loss_;
  AspectModel model_, kept_;
  std::vector<float> centre_squares_, value_squares_;
};

absl::StatusOr<std::unique_ptr<const TrainedMethod>> Train(
    const MethodInput& input, const ParameterValues& parameters) {
  const absl::Time start = absl::Now();
  SLICE_ASSIGN_OR_RETURN(const AspectWalks walks,
                         PlanAspectWalks(input, parameters));
  SLICE_ASSIGN_OR_RETURN(AspectStart warm,
                         StartAspects(input, parameters, walks));
  AspectLearner learner(input, parameters, walks, std::move(warm.model));
  const absl::Duration warm_time = absl::Now() - start;
  SLICE_ASSIGN_OR_RETURN(
      MethodSummary summary,
      RunWalkEpochs(input, parameters,
                    std::max(input.budget - warm_time, absl::ZeroDuration()),
                    "asp2vec", learner));
  summary.seconds += absl::ToDoubleSeconds(warm_time);
  if (warm.cut_short && !IsSpentBudgetText(summary.stopped)) {
    summary.stopped =
        absl::StrCat(SpentBudgetText(input.budget / kWarmPart),
                     " by the warm start; then ", summary.stopped);
  }
  return learner.MakeMethod(std::move(summary));
}

double EstimateMib(const MethodInput& input,
                   const ParameterValues& parameters) {
  const auto nodes = static_cast<double>(input.snapshot->node_count());
  const double dim = parameters.Whole("dim"),
               aspects = parameters.Whole("aspects");
  // All vectors three times (values, squares and the best ones), and two tables
  // that are measured, with a copy.
  const double tables = nodes * dim * (3 * (aspects + 1) + 4);
  // A batch: gradients of windows and of rows, nodes and slopes.
  const double windows = static_cast<double>(parameters.Whole("batch")) *
                         parameters.Whole("walk_length");
  const double entries = windows * 2 * parameters.Whole("window") *
                         (1.0 + parameters.Whole("negatives"));
  const double batch = windows * dim + std::min(nodes, windows) * dim +
                       std::min(nodes, entries) * dim * aspects +
                       entries * (aspects + 4);
  constexpr double kOfLink = 16;  // bytes of the graph that walks go over
  const double training =
      ((tables + batch) * sizeof(float) +
       static_cast<double>(input.snapshot->link_count()) * kOfLink) /
      (1 << 20);
  if (!SearchesMetapaths(input, parameters)) return training;
  return std::max(training, CommonWalkSchemesMib(*input.snapshot));
}

}  // namespace

MethodInfo Asp2vecMethod() {
  using P = MethodParameter;
  MethodInfo info;
  info.name = "asp2vec";
  info.title = "asp2vec";
  info.description =
      "skip-gram with several aspect vectors per node, among which each window "
      "of a walk chooses";
  info.paper = "Park et al., KDD 2020";
  info.parameters = {
      P::Whole("dim", 128, 1, 4096, "numbers per node and vector"),
      P::Whole("aspects", 5, 1, 100, "aspect vectors of a node"),
      P::Word("walks_along", {"auto", "metapaths", "links"},
              "auto: metapaths where nodes have several types (asp2vec-het), "
              "otherwise any link"),
  };
  for (const P& parameter : MetapathParameters()) {
    info.parameters.push_back(parameter);
  }
  for (const P& parameter :
       {P::Word("score", {"input_output", "dot"},
                "what scores a link: products of centre with mean aspect "
                "vectors, or of the sums of both"),
        P::Whole("walk_length", 80, 2, 10000, "nodes of a walk"),
        P::Whole("window", 3, 1, 100, "context nodes on either side"),
        P::Whole("negatives", 2, 1, 100, "noise nodes for each context node"),
        P::Number("temperature", 0.5, 0.01, 100, "of the choice of an aspect"),
        P::Number("diversity", 0.01, 0, 1e6,
                  "weight of the regulariser that keeps aspects apart"),
        P::Number("diversity_from", 0.9, 0, 1,
                  "the cosine of two aspects from which it acts"),
        P::Whole("warm_walks", 10, 0, 10000,
                 "walks from each node of the skip-gram that training starts "
                 "from; 0: start from random vectors")}) {
    info.parameters.push_back(parameter);
  }
  for (const P& parameter : WalkEpochParameters(
           {.epochs = 50, .batch = 64, .learning_rate = 0.05})) {
    info.parameters.push_back(parameter);
  }
  info.dot_product = "score=dot";
  info.least_budget_part = 1.0 / kWarmPart;
  info.train = Train;
  info.memory = EstimateMib;
  return info;
}

}  // namespace slice
