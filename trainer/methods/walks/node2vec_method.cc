#include "trainer/methods/walks/node2vec_method.h"

#include "common/status_macros.h"
#include "graphstore/graph_view.h"
#include "trainer/embedding/node2vec.h"
#include "trainer/methods/embedding_method.h"
#include "trainer/methods/walks/walk_method.h"

namespace slice {
namespace {

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
  options.budget = input.budget;
  Node2vecSummary trained;
  SLICE_ASSIGN_OR_RETURN(
      std::vector<float> embeddings,
      TrainNode2vec(GraphView(*input.snapshot), options, &trained));
  MethodSummary summary =
      SummarizeWalks(input, trained.losses, trained.cut_short);
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
  info.description = "skip-gram over biased random walks; dot product";
  info.paper = "Grover and Leskovec, KDD 2016";
  info.parameters = WalkParameters(defaults.walks_per_node);
  for (const P& parameter :
       {P::Number("p", defaults.p, 1e-3, 1e3, "return parameter"),
        P::Number("q", defaults.q, 1e-3, 1e3, "in-out parameter"),
        P::Whole("epochs", defaults.epochs, 1, 1000, "passes over new walks"),
        WalkLearningRate()}) {
    info.parameters.push_back(parameter);
  }
  info.dot_product = kAlways;
  info.train = Train;
  info.memory = EstimateWalkMib;
  return info;
}

}  // namespace slice
