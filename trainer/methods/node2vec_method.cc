#include "trainer/methods/node2vec_method.h"

#include "common/status_macros.h"
#include "graphstore/graph_view.h"
#include "trainer/methods/embedding_method.h"
#include "trainer/node2vec.h"
#include "trainer/walk_training.h"

namespace slice {
namespace {

double EstimateMib(const MethodInput& input,
                   const ParameterValues& parameters) {
  return WalkTrainingMib(*input.snapshot, parameters.Whole("dim"));
}

absl::StatusOr<std::unique_ptr<const TrainedMethod>> Train(
    const MethodInput& input, const ParameterValues& parameters) {
  Node2vecOptions options;
  options.dim = parameters.Whole("dim");
  options.walks_per_node = parameters.Whole("walks_per_node");
  options.walk_length = parameters.Whole("walk_length");
  options.window = parameters.Whole("window");
  options.negatives = parameters.Whole("negatives");
  options.p = parameters.Number("p");
  options.q = parameters.Number("q");
  options.epochs = parameters.Whole("epochs");
  options.learning_rate = parameters.Number("learning_rate");
  options.threads = input.threads;
  options.seed = input.seed;
  Node2vecSummary trained;
  SLICE_ASSIGN_OR_RETURN(
      std::vector<float> embeddings,
      TrainNode2vec(GraphView(*input.snapshot), options, &trained));
  MethodSummary summary;
  summary.epochs = summary.best_epoch = options.epochs;
  for (size_t i = 0; i < trained.losses.size(); ++i) {
    summary.loss.push_back({static_cast<double>(i + 1), trained.losses[i]});
  }
  summary.stopped = "all walks done";
  summary.seconds = trained.seconds;
  return std::make_unique<const DotProductMethod>(
      std::move(embeddings), static_cast<size_t>(options.dim),
      std::move(summary));
}

}  // namespace

MethodInfo Node2vecMethod() {
  const Node2vecOptions defaults;
  using P = MethodParameter;
  MethodInfo info;
  info.name = "node2vec";
  info.title = "node2vec";
  info.what = "skip-gram over biased random walks; dot product";
  info.paper = "Grover and Leskovec, KDD 2016";
  info.parameters = {
      P::Whole("dim", defaults.dim, 1, 4096, "numbers per node"),
      P::Whole("walks_per_node", defaults.walks_per_node, 1, 10000, ""),
      P::Whole("walk_length", defaults.walk_length, 2, 10000,
               "nodes of a walk"),
      P::Whole("window", defaults.window, 1, 100, "nodes to either side"),
      P::Whole("negatives", defaults.negatives, 1, 100, "noise nodes"),
      P::Number("p", defaults.p, 1e-6, 1e6, "return parameter"),
      P::Number("q", defaults.q, 1e-6, 1e6, "in-out parameter"),
      P::Whole("epochs", defaults.epochs, 1, 1000, "passes over new walks"),
      P::Number("learning_rate", defaults.learning_rate, 1e-9, 10,
                "decays to nothing"),
  };
  info.dot_product = true;
  info.train = Train;
  info.memory = EstimateMib;
  return info;
}

}  // namespace slice
