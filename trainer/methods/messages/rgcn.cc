#include "trainer/methods/messages/rgcn.h"

#include <algorithm>
#include <cmath>

#include "trainer/methods/link_scorer.h"
#include "trainer/methods/messages/graph_training.h"
#include "trainer/methods/messages/rgcn_encoder.h"

namespace slice {
namespace {

GraphTrainingOptions Defaults() {
  GraphTrainingOptions options = RelationalDefaults();
  options.dropout = 0.2;
  options.parts = 50;
  options.negatives = 2;
  return options;
}

absl::StatusOr<std::unique_ptr<const TrainedMethod>> Train(
    const MethodInput& input, const ParameterValues& parameters) {
  GraphTrainingOptions options = ReadGraphTraining(parameters);
  options.title = "R-GCN";
  return TrainGraphNetwork(input, options, [&] {
    return GraphNetwork{
        std::make_unique<RgcnEncoder>(ShapeOf(options),
                                      input.snapshot->relation_count(),
                                      parameters.Whole("bases")),
        std::make_shared<DistMultScorer>(options.VectorDim(), options.dropout)};
  });
}

// The most nodes for which a layer computes vectors in a step.
double NodesOfStep(const MethodInput& input,
                   const GraphTrainingOptions& options) {
  const size_t nodes = input.snapshot->node_count();
  const size_t links = input.snapshot->link_count();
  if (!options.UsesSamples(nodes, 2 * links)) {
    return static_cast<double>(nodes);
  }
  const double ends = 2 * options.LinksPerStep(nodes, links);
  return std::min(static_cast<double>(nodes),
                  ends * std::pow(1 + options.neighbors, options.layers - 1));
}

// Adds to the shared estimate the bases with their gradient and the state of
// Adam, and a sum per node and base with its gradient.
double EstimateMib(const MethodInput& input,
                   const ParameterValues& parameters) {
  constexpr double kTables = 5, kTimesSums = 2;
  const GraphTrainingOptions options = ReadGraphTraining(parameters);
  const double numbers = 1.0 * options.dim * parameters.Whole("bases") *
                         (1.0 * options.dim * options.layers * kTables +
                          NodesOfStep(input, options) * kTimesSums);
  return GraphTrainingMib(input, options, /*has_scorer=*/true) +
         numbers * sizeof(float) / (1 << 20);
}

}  // namespace

MethodInfo RgcnMethod() {
  MethodInfo info;
  info.name = "rgcn";
  info.title = "R-GCN";
  info.description =
      "graph convolutions with a matrix per relation and direction, which "
      "combines a few shared matrices; DistMult";
  info.paper = "Schlichtkrull et al., ESWC 2018";
  info.parameters = GraphTrainingParameters(Defaults());
  info.parameters.push_back(MethodParameter::Whole(
      "bases", 4, 1, 1000,
      "matrices that the matrices of all relations combine"));
  info.train = Train;
  info.memory = EstimateMib;
  return info;
}

}  // namespace slice
