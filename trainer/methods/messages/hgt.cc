#include "trainer/methods/messages/hgt.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "trainer/methods/link_scorer.h"
#include "trainer/methods/messages/graph_training.h"
#include "trainer/methods/messages/hgt_encoder.h"

namespace slice {
namespace {

// What a layer keeps for an arc, at most, until the gradient is known: the
// vectors of its source before and after the matrices of its label, for keys
// and for messages, and the gradients of these.
constexpr int kVectorsOfArc = 10;

GraphTrainingOptions Defaults() {
  GraphTrainingOptions options = DotProductDefaults();
  options.learning_rate = 0.01;
  options.epochs = 100;
  options.patience = 4;
  options.neighbors = 100;
  options.nodes_of_type = 520;
  options.candidates = 1000;
  return options;
}

GraphTrainingOptions ReadOptions(const ParameterValues& parameters) {
  GraphTrainingOptions options = ReadGraphTraining(parameters);
  options.nodes_of_type = parameters.Whole("nodes_of_type");
  options.vectors_of_arc = kVectorsOfArc;
  options.title = "HGT";
  return options;
}

bool HasScorer(const ParameterValues& parameters) {
  return parameters.Word("scorer") != "dot";
}

absl::StatusOr<std::unique_ptr<const TrainedMethod>> Train(
    const MethodInput& input, const ParameterValues& parameters) {
  const GraphTrainingOptions options = ReadOptions(parameters);
  const int heads = parameters.Whole("heads");
  if (options.dim % heads != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("dim=", options.dim, " is no multiple of heads=", heads,
                     "; choose for example dim=", heads * 16));
  }
  return TrainGraphNetwork(input, options, [&] {
    GraphNetwork network;
    network.encoder = std::make_unique<HgtEncoder>(
        ShapeOf(options), input.snapshot->node_type_count(),
        input.snapshot->relation_count(), heads);
    if (HasScorer(parameters)) {
      network.scorer = std::make_shared<DistMultScorer>(options.VectorDim(),
                                                        options.dropout);
    }
    return network;
  });
}

// Adds to the shared estimate the vectors of arcs, and four matrices per type
// and two per label with their gradients and the state of Adam.
double EstimateMib(const MethodInput& input,
                   const ParameterValues& parameters) {
  constexpr double kTables = 5;
  const GraphTrainingOptions options = ReadOptions(parameters);
  const GraphSnapshot& snapshot = *input.snapshot;
  const double arcs = 2.0 * static_cast<double>(snapshot.link_count()) +
                      static_cast<double>(snapshot.node_count());
  const double of_arcs = options.BytesOfStep(
      sizeof(float) * arcs * kVectorsOfArc * options.dim * options.layers);
  const double labels =
      2.0 * static_cast<double>(snapshot.relation_count()) + 1;
  const double of_layer =
      1.0 * options.dim * options.dim *
      (4.0 * static_cast<double>(snapshot.node_type_count()) +
       2 * labels / parameters.Whole("heads"));
  return GraphTrainingMib(input, options, HasScorer(parameters)) +
         (of_arcs + sizeof(float) * of_layer * options.layers * kTables) /
             (1 << 20);
}

}  // namespace

MethodInfo HgtMethod() {
  using P = MethodParameter;
  MethodInfo info;
  info.name = "hgt";
  info.title = "HGT";
  info.description =
      "a graph transformer: attention to neighbours by the types of nodes and "
      "by relations";
  info.paper = "Hu et al., WWW 2020";
  info.parameters = GraphTrainingParameters(Defaults());
  info.parameters.push_back(
      P::Whole("heads", 4, 1, 64, "heads of attention, which share dim"));
  info.parameters.push_back(
      P::Word("scorer", {"distmult", "dot"}, "how these vectors score links"));
  info.parameters.push_back(
      P::Whole("nodes_of_type", Defaults().nodes_of_type, 1, 1000000,
               "sampled: nodes of each type that HGSampling adds for a layer"));
  info.dot_product = "scorer=dot";
  info.train = Train;
  info.memory = EstimateMib;
  return info;
}

}  // namespace slice
