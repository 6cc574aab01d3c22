// The parameters that all networks of message passing share.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GRAPH_OPTIONS_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GRAPH_OPTIONS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "graphstore/graph_snapshot.h"
#include "trainer/methods/link_method.h"
#include "trainer/methods/messages/encoder_shape.h"

namespace slice {

// By default, steps run on the whole graph when that takes at most this many
// bytes.
inline constexpr double kMostWholeGraphBytes = 3e9;

// The most steps of an epoch. On samples of a large graph an epoch may end
// before it has scored all links.
inline constexpr int kMostEpochSteps = 256;

// The parameters of all these methods, with their defaults.
struct GraphTrainingOptions {
  int dim = 64;
  int layers = 2;
  // The layers that make the vector of a node: "last", or "all" side by side
  // (jumping knowledge: Xu et al., ICML 2018).
  std::string output = "last";
  double dropout = 0;
  int epochs = 100;
  int patience = 10;
  // On the whole graph: the steps of an epoch. Each scores one part of the
  // links.
  int parts = 10;
  int negatives = 5;
  // How many nodes are drawn as candidates for a step, when early stopping
  // ranks: a softmax loss makes each positive find each of its ends among them.
  // 0: there is no such loss.
  int candidates = 0;
  double learning_rate = 0.01;
  // How the learning rate decays: "none", or "linear" to zero.
  std::string decay = "none";
  double weight_decay = 0;
  // What a step runs on: "whole" graph, "sampled" neighbours, or "auto": the
  // whole graph when that takes little memory.
  std::string graph = "auto";
  int neighbors = 10;  // sampled: the most arcs into a node, per layer
  // Sampled: nodes of each type that HGSampling adds for a layer
  // (hg_sampler.h); 0: neighbours are sampled without regard to types.
  int nodes_of_type = 0;
  int batch_size = 1024;  // sampled: positives of a step, at most
  // The measure of early stopping: "auroc", "mrr" or "auto".
  std::string choose_by = "auto";

  // How many vectors the last layer makes of each node, before it averages
  // them.
  int last_heads = 1;
  // How many vectors a layer keeps for each arc.
  int vectors_of_arc = 0;

  std::string title = "";  // of the progress line

  // The width of a node's vector.
  int VectorDim() const { return output == "all" ? dim * layers : dim; }
  // Estimates the memory of a step on the whole graph: states and their
  // gradients in all layers, and arcs with weights.
  double WholeGraphBytes(size_t nodes, size_t arcs) const;
  // Whether steps run on samples of a graph with this size.
  bool UsesSamples(size_t nodes, size_t arcs) const;
  // The bytes that a step takes of what takes `whole_graph` bytes on the whole
  // graph. Unless graph is "whole" that is bounded, because "auto" samples.
  double BytesOfStep(double whole_graph) const;
  // Arcs whose vectors take no more than what BytesOfStep() allows a step.
  double MostArcsAtOnce() const;
  // The parts that the links of a graph are divided into, one for each step of
  // an epoch.
  int Parts(bool samples, size_t links) const;
  // The links that a step scores, with their negatives, on a graph with this
  // size.
  double LinksPerStep(size_t nodes, size_t links) const;
};

// The defaults of GCN and GAT, which ignore relations and score links by dot
// product.
GraphTrainingOptions DotProductDefaults();
// The defaults that R-GCN and CompGCN share. They are chosen for graphs with
// many relations.
GraphTrainingOptions RelationalDefaults();

// The parameters with these defaults, for MethodInfo.
std::vector<MethodParameter> GraphTrainingParameters(
    const GraphTrainingOptions& defaults);
GraphTrainingOptions ReadGraphTraining(const ParameterValues& values);

// Whether early stopping ranks valid links: when choose_by is "mrr", or "auto"
// for a method with a scorer on a graph with many relations.
bool ChoosesByRank(const GraphSnapshot& snapshot,
                   const GraphTrainingOptions& options, bool has_scorer);
// The shape with one width for all layers.
EncoderShape ShapeOf(const GraphTrainingOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GRAPH_OPTIONS_H_
