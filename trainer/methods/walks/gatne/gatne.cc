// An epoch takes one walk from each node and relation that links it, within the
// relation, in batches of starts in random order, with one step of Adagrad for
// each batch. Valid tells when to stop. A node without a link gets the mean
// vectors of its type.
//
// The paper scores a link by the cosine of the vectors of its ends
// (score=cosine). The cosine does not see how popular a node is: skip-gram
// learns that by the context vectors, and only when noise is not drawn by
// popularity itself. The paper draws noise of the context node's type alone
// (noise=typed). That does not teach which types a relation links. So by
// default links are scored by the products that skip-gram trains, and all
// linked nodes are drawn alike.
#include "trainer/methods/walks/gatne/gatne.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "common/random.h"
#include "common/status_macros.h"
#include "graphstore/graph_view.h"
#include "trainer/embedding/type_means.h"
#include "trainer/methods/adagrad_step.h"
#include "trainer/methods/method_evaluation.h"
#include "trainer/methods/walks/gatne/gatne_batches.h"
#include "trainer/methods/walks/gatne/gatne_method.h"
#include "trainer/methods/walks/gatne/gatne_network.h"
#include "trainer/methods/walks/gatne/gatne_skip_gram.h"
#include "trainer/methods/walks/gatne/layered_graph.h"
#include "trainer/methods/walks/walk_method.h"

namespace slice {
namespace {

// Vectors of nodes start within [-1, 1), as in the program of the paper's
// authors; matrices and context vectors within a tenth of that.
constexpr double kVectorBound = 1, kMatrixBound = 0.1;

GatneBatchOptions BatchOptionsOf(const MethodInput& input,
                                 const ParameterValues& parameters) {
  const auto whole = [&](const char* name) {
    return static_cast<size_t>(parameters.Whole(name));
  };
  return {.walk_length = whole("walk_length"),
          .window = {whole("window"), whole("negatives")},
          .noise_power = parameters.Number("noise_power"),
          .typed_noise = parameters.Word("noise") == "typed",
          .seed = CombineHash(input.seed, 41)};
}

GatneModel RandomModel(const LayeredGraph& graph,
                       const ParameterValues& parameters, uint64_t seed) {
  GatneModel model;
  model.dim = static_cast<size_t>(parameters.Whole("dim"));
  model.edge_dim = static_cast<size_t>(parameters.Whole("edge_dim"));
  model.attention = static_cast<size_t>(parameters.Whole("attention"));
  model.alpha = static_cast<float>(parameters.Number("alpha"));
  const size_t nodes = graph.node_count(), relations = graph.relation_count();
  const auto table = [&](size_t rows, size_t width, double bound) {
    seed = CombineHash(seed, 42);
    return RandomTable(rows * width, bound, seed);
  };
  model.base = table(nodes, model.dim, kVectorBound);
  model.edges = table(graph.layer_node_count(), model.edge_dim, kVectorBound);
  model.lift = table(relations, model.edge_dim * model.dim, kMatrixBound);
  model.inner =
      table(relations, model.edge_dim * model.attention, kMatrixBound);
  model.outer = table(relations, model.attention, kMatrixBound);
  model.contexts = table(nodes, model.dim, kMatrixBound);
  return model;
}

class GatneLearner final : public EpochLearner {
 public:
  GatneLearner(const MethodInput& input, const ParameterValues& parameters,
               std::shared_ptr<const LayeredGraph> graph)
      : input_(input),
        batch_size_(static_cast<size_t>(parameters.Whole("batch"))),
        rate_(static_cast<float>(parameters.Number("learning_rate"))),
        score_(parameters.Word("score") == "cosine" ? GatneScore::kCosine
                                                    : GatneScore::kInputOutput),
        graph_(std::move(graph)),
        neighbors_(graph_->SampleNeighbors(
            static_cast<size_t>(parameters.Whole("neighbors")),
            CombineHash(input.seed, 43))),
        sources_{graph_.get(), &neighbors_},
        batches_(*input.snapshot, *graph_, BatchOptionsOf(input, parameters)),
        starts_(graph_->layer_node_count()),
        random_(CombineHash(input.seed, 44)),
        model_(RandomModel(*graph_, parameters, CombineHash(input.seed, 45))) {
    std::iota(starts_.begin(), starts_.end(), LayerNode{0});
    const auto values = TablesOf(model_), squares = TablesOf(squares_);
    for (size_t i = 0; i < values.size(); ++i) {
      squares[i]->resize(values[i]->size());
    }
  }

  absl::StatusOr<double> RunEpoch(int epoch, std::string* batch_name) override {
    std::shuffle(starts_.begin(), starts_.end(), random_);
    double loss = 0;
    uint64_t contexts = 0;
    const auto step = [&](std::span<const LayerNode> starts) {
      const WalkWindows batch =
          batches_.Draw(starts, static_cast<uint64_t>(epoch));
      const GatneGradients gradients =
          DifferentiateGatne(model_, sources_, batch, input_.threads);
      if (!std::isfinite(gradients.loss)) return false;
      TakeStep(gradients);
      loss += gradients.loss;
      contexts += batch.Contexts();
      return true;
    };
    return ForEachBatch(starts_, batch_size_, batch_name, step)
               ? loss / static_cast<double>(contexts)
               : std::numeric_limits<double>::quiet_NaN();
  }

  absl::StatusOr<double> MeasureValid() override {
    return AurocOn(*MakeMethod({}), input_.valid, input_.threads);
  }
  void Keep() override { kept_ = model_; }
  void Restore() override { model_ = kept_; }

  std::unique_ptr<const TrainedMethod> MakeMethod(MethodSummary summary) const {
    std::vector<bool> linked(graph_->node_count());
    for (NodeId node = 0; node < linked.size(); ++node) {
      linked[node] = graph_->LayersOf(node) > 0;
    }
    GatneModel model = model_;
    FillWithTypeMeans(*input_.snapshot, linked, model.dim, model.base);
    FillWithTypeMeans(*input_.snapshot, linked, model.dim, model.contexts);
    return std::make_unique<const GatneVectorsMethod>(
        graph_, std::move(model), EdgeVectors(model_, sources_, input_.threads),
        score_, std::move(summary));
  }

 private:
  void TakeStep(const GatneGradients& gradients) {
    const auto parts = PartsOf(gradients);
    const auto values = TablesOf(model_), squares = TablesOf(squares_);
    for (size_t i = 0; i < parts.size(); ++i) {
      const TableGradient& part = *parts[i];
      const size_t width = part.values.size() / part.rows.size();
      UpdateRows({part.rows,
                  {part.values.data()},
                  width,
                  width,
                  rate_,
                  input_.threads},
                 *values[i], *squares[i]);
    }
  }

  const MethodInput& input_;
  const size_t batch_size_;
  const float rate_;
  const GatneScore score_;
  const std::shared_ptr<const LayeredGraph> graph_;
  const LayerRows neighbors_;
  const GatneSources sources_;
  const GatneBatches batches_;
  std::vector<LayerNode> starts_;
  Random random_;
  GatneModel model_, kept_;
  GatneModel squares_;  // of Adagrad, in tables of the same sizes
};

absl::StatusOr<std::unique_ptr<const TrainedMethod>> Train(
    const MethodInput& input, const ParameterValues& parameters) {
  auto graph = std::make_shared<const LayeredGraph>(GraphView(*input.snapshot));
  if (graph->layer_node_count() == 0) return NoWalksError();
  GatneLearner learner(input, parameters, std::move(graph));
  SLICE_ASSIGN_OR_RETURN(
      MethodSummary summary,
      RunWalkEpochs(input, parameters, input.budget, "GATNE-T", learner));
  return learner.MakeMethod(std::move(summary));
}

double EstimateMib(const MethodInput& input,
                   const ParameterValues& parameters) {
  const auto nodes = static_cast<double>(input.snapshot->node_count());
  const auto links = static_cast<double>(input.snapshot->link_count());
  const auto relations = static_cast<double>(input.snapshot->relation_count());
  const double dim = parameters.Whole("dim");
  const double edge_dim = parameters.Whole("edge_dim");
  const double attention = parameters.Whole("attention");
  // A link puts each of its ends into one layer at most.
  const double layer_nodes = std::min(2 * links, nodes * relations);
  const double model = 2 * nodes * dim + layer_nodes * edge_dim +
                       relations * (edge_dim * (dim + attention) + attention);
  // Of a batch: the vectors and gradients of its windows, and the gradients of
  // the rows that they use, at most all.
  const double windows = static_cast<double>(parameters.Whole("batch")) *
                         parameters.Whole("walk_length");
  const double entries = windows * 2 * parameters.Whole("window") *
                         (1.0 + parameters.Whole("negatives"));
  const double batch = windows * (2 * dim + edge_dim) + 4 * entries +
                       std::min(model, entries * dim);
  // The model four times: values, squares, the best ones, and the copy that is
  // measured. That copy has edge vectors as well, and tables for candidates
  // where these are ranked.
  const double tables = input.ranks ? relations * nodes * (edge_dim + 1) : 0;
  const double numbers = 4 * model + layer_nodes * edge_dim + tables + batch;
  // The graph: neighbours, and the sampled ones, at most all.
  return (numbers * sizeof(float) + 16 * links + 24 * layer_nodes) / (1 << 20);
}

}  // namespace

MethodInfo GatneMethod() {
  using P = MethodParameter;
  MethodInfo info;
  info.name = "gatne-t";
  info.title = "GATNE-T";
  info.description =
      "a vector per node and relation, made by attention over what neighbours "
      "by each relation say, and skip-gram over walks within relations";
  info.paper = "Cen et al., KDD 2019";
  info.parameters = {
      P::Whole("dim", 200, 1, 4096, "numbers per node and relation"),
      P::Whole("edge_dim", 10, 1, 1024, "numbers of an edge vector"),
      P::Whole("attention", 20, 1, 1024, "numbers inside the attention"),
      P::Number("alpha", 1, 0, 1000, "weight of edge vectors"),
      P::Word("score", {"input_output", "cosine"},
              "what scores a link: products of node with context vectors, or, "
              "as in the paper, the cosine of node vectors"),
      P::Whole("neighbors", 10, 1, 100000,
               "neighbours that make an edge vector, at most"),
      P::Whole("walk_length", 10, 2, 10000, "nodes of a walk"),
      P::Whole("window", 1, 1, 100, "context nodes on either side"),
      P::Whole("negatives", 5, 1, 1000, "noise nodes for each context node"),
      P::Word("noise", {"all", "typed"},
              "noise nodes; typed: only nodes of the context node's type, as "
              "in the paper"),
      P::Number("noise_power", 0, -10, 10,
                "noise is drawn in proportion to this power of the number of "
                "neighbours; 0: all linked nodes alike"),
  };
  for (const P& parameter : WalkEpochParameters({})) {
    info.parameters.push_back(parameter);
  }
  info.train = Train;
  info.memory = EstimateMib;
  return info;
}

}  // namespace slice
