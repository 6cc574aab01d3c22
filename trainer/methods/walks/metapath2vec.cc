// Training takes four steps: choose the metapaths (the most common ones of the
// graph, or those of the parameter "metapaths"), walk along them from every
// node that has a link, train skip-gram on the walks, and give every node
// without a link the mean vector of its type.
//
// The parameter "noise" chooses between metapath2vec (noise nodes of any type)
// and metapath2vec++ (noise nodes of the centre's type). The parameter "score"
// chooses how two vectors make a score (trainer/methods/embedding_method.h).
#include "trainer/methods/walks/metapath2vec.h"

#include <utility>

#include "absl/time/clock.h"
#include "common/status_macros.h"
#include "trainer/embedding/type_means.h"
#include "trainer/methods/embedding_method.h"
#include "trainer/methods/walks/labelled_walk_graph.h"
#include "trainer/methods/walks/metapath_walks.h"
#include "trainer/methods/walks/walk_method.h"

namespace slice {
namespace {

absl::StatusOr<std::unique_ptr<const TrainedMethod>> Train(
    const MethodInput& input, const ParameterValues& parameters) {
  const absl::Time start = absl::Now();
  const GraphSnapshot& snapshot = *input.snapshot;
  const LabelledWalkGraph graph{GraphView(snapshot)};
  std::vector<NodeId> starts = graph.LinkedNodes();
  if (starts.empty()) return NoWalksError();
  SLICE_ASSIGN_OR_RETURN(std::vector<WalkScheme> schemes,
                         ChooseWalkSchemes(input, parameters, graph));
  const MetapathWalks walks(graph, std::move(schemes),
                            parameters.Whole("walk_length"), input.seed);
  WalkTrainingOptions options = WalkTrainingOptionsOf(input, parameters);
  options.title = "metapath2vec";
  const std::vector<uint32_t> groups = parameters.Word("noise") == "typed"
                                           ? NoiseTypes(snapshot)
                                           : std::vector<uint32_t>();
  WalkTrainingSummary trained;
  const auto dim = static_cast<size_t>(options.dim);
  std::vector<bool> linked(snapshot.node_count());
  for (const NodeId node : starts) linked[node] = true;
  SLICE_ASSIGN_OR_RETURN(
      SkipGramVectors vectors,
      TrainOnWalks(walks, std::move(starts), snapshot.node_count(), options,
                   groups, trained));
  FillWithTypeMeans(snapshot, linked, dim, vectors.inputs);
  FillWithTypeMeans(snapshot, linked, dim, vectors.outputs);
  MethodSummary summary =
      SummarizeWalks(input, trained.losses, trained.cut_short);
  summary.seconds = absl::ToDoubleSeconds(absl::Now() - start);
  if (parameters.Word("score") == "dot") {
    return std::make_unique<const DotProductMethod>(std::move(vectors.inputs),
                                                    dim, std::move(summary));
  }
  return std::make_unique<const InputOutputMethod>(std::move(vectors.inputs),
                                                   std::move(vectors.outputs),
                                                   dim, std::move(summary));
}

}  // namespace

MethodInfo Metapath2vecMethod() {
  using P = MethodParameter;
  MethodInfo info;
  info.name = "metapath2vec";
  info.title = "metapath2vec";
  info.description =
      "skip-gram over walks that follow metapaths: of node types, or of "
      "relations when all nodes have one type";
  info.paper = "Dong, Chawla, Swami, KDD 2017";
  info.parameters = MetapathParameters();
  for (const P& parameter :
       {P::Word("noise", {"all", "typed"},
                "noise nodes; typed: only nodes of the centre's type, as in "
                "metapath2vec++"),
        P::Word(
            "score", {"input_output", "dot"},
            "dot products that score a link: of input with output vectors, or "
            "of input vectors alone")}) {
    info.parameters.push_back(parameter);
  }
  for (const P& parameter : WalkParameters(20)) {
    info.parameters.push_back(parameter);
  }
  info.parameters.push_back(WalkLearningRate());
  info.dot_product = "score=dot";
  info.train = Train;
  info.memory = EstimateMetapathMib;
  return info;
}

}  // namespace slice
