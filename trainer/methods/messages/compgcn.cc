// CompGCN with its three compositions and three scorers. The defaults are
// chosen for graphs with many relations: a product as composition, DistMult as
// scorer, one layer, and a softmax over 1,000 candidates in each step.
//
// For ConvE alone, the estimate of memory adds what the shared estimate of
// trainer/methods/messages/graph_training.h does not know: the features of the
// queries, and the matrix of ConvE.
#include "trainer/methods/messages/compgcn.h"

#include "common/status_macros.h"
#include "trainer/methods/link_scorer.h"
#include "trainer/methods/messages/compgcn_encoder.h"
#include "trainer/methods/messages/graph_training.h"

namespace slice {
namespace {

GraphTrainingOptions Defaults() {
  GraphTrainingOptions options = RelationalDefaults();
  options.dropout = 0.3;
  options.parts = 100;
  options.negatives = 1;
  return options;
}

CompGcnComposition CompositionOf(const std::string& name) {
  if (name == "sub") return CompGcnComposition::kSub;
  return name == "mult" ? CompGcnComposition::kMult : CompGcnComposition::kCorr;
}

absl::StatusOr<std::shared_ptr<const LinkScorer>> MakeScorer(
    const std::string& name, const ConvEScorer::Shape& shape) {
  if (name == "transe") return std::make_shared<TranslationScorer>();
  if (name == "distmult")
    return std::make_shared<DistMultScorer>(shape.dim, shape.dropout);
  return ConvEScorer::Create(shape);
}

absl::StatusOr<std::unique_ptr<const TrainedMethod>> Train(
    const MethodInput& input, const ParameterValues& parameters) {
  GraphTrainingOptions options = ReadGraphTraining(parameters);
  options.title = "CompGCN";
  ConvEScorer::Shape shape;
  shape.dim = options.VectorDim();
  shape.filters = parameters.Whole("filters");
  shape.dropout = options.dropout;
  return TrainGraphNetwork(
      input, options, [&]() -> absl::StatusOr<GraphNetwork> {
        GraphNetwork network;
        SLICE_ASSIGN_OR_RETURN(network.scorer,
                               MakeScorer(parameters.Word("scorer"), shape));
        network.encoder = std::make_unique<CompGcnEncoder>(
            ShapeOf(options), input.snapshot->relation_count(),
            CompositionOf(parameters.Word("composition")));
        return network;
      });
}

// ConvE keeps, for every query, its features before and after ReLU and their
// gradients. It also has a matrix from features to vectors, with its gradient
// and the state of Adam.
double EstimateMib(const MethodInput& input,
                   const ParameterValues& parameters) {
  constexpr double kTimesFeatures = 4, kTables = 5;
  const GraphTrainingOptions options = ReadGraphTraining(parameters);
  const double graph = GraphTrainingMib(input, options, /*has_scorer=*/true);
  if (parameters.Word("scorer") != "conve") return graph;
  const double queries = 2 * options.LinksPerStep(input.snapshot->node_count(),
                                                  input.snapshot->link_count());
  // An upper bound: a convolution without padding drops the border of a
  // picture.
  const double features =
      2.0 * options.VectorDim() * parameters.Whole("filters");
  const double numbers = queries * features * kTimesFeatures +
                         features * options.VectorDim() * kTables;
  return graph + numbers * sizeof(float) / (1 << 20);
}

}  // namespace

MethodInfo CompGcnMethod() {
  MethodInfo info;
  info.name = "compgcn";
  info.title = "CompGCN";
  info.description =
      "graph convolutions that compose the vectors of neighbours with vectors "
      "of relations";
  info.paper = "Vashishth et al., ICLR 2020";
  info.parameters = GraphTrainingParameters(Defaults());
  using P = MethodParameter;
  info.parameters.push_back(
      P::Word("composition", {"mult", "sub", "corr"},
              "of a neighbour's vector with a relation's: product, difference, "
              "circular correlation"));
  info.parameters.push_back(P::Word("scorer", {"distmult", "transe", "conve"},
                                    "how these vectors score links"));
  info.parameters.push_back(
      P::Whole("filters", 32, 1, 10000, "filters of ConvE, 3 x 3"));
  info.train = Train;
  info.memory = EstimateMib;
  return info;
}

}  // namespace slice
