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

// A step passes messages over the whole graph where that takes no more.
inline constexpr double kMostWholeBytes = 3e9;

// Names and defaults of the parameters that all these methods have.
struct GraphTrainingOptions {
  int dim = 64;
  int layers = 2;
  // Which layers' vectors make that of a node: "last", or "all" side by side
  // (jumping knowledge: Xu et al., ICML 2018).
  std::string output = "last";
  double dropout = 0;
  int epochs = 100;
  int patience = 10;
  int parts = 10;
  int negatives = 5;
  // Where ranks are looked at: nodes drawn for all positives of a step, among
  // which a softmax is to find either end of each; 0: no such loss.
  int candidates = 0;
  double learning_rate = 0.01;
  std::string decay = "none";  // of the learning rate, or "linear": to nothing
  double weight_decay = 0;
  // The whole graph in every step where that takes little memory, or a sample.
  std::string graph = "auto";
  int neighbors = 10;
  int batch_size = 1024;
  // What early stopping looks at.
  std::string choose_by = "auto";

  std::string title;  // of the progress line

  // Numbers of a node's vector.
  int VectorDim() const { return output == "all" ? dim * layers : dim; }
  // About what a step on the whole graph holds: states and their gradients in
  // all layers, and arcs with weights.
  double WholeBytes(size_t nodes, size_t arcs) const;
  // Whether steps are on samples of a graph of so many nodes and arcs.
  bool WantsSamples(size_t nodes, size_t arcs) const;
  // Links scored in a step, with their negatives, on a graph of so many.
  double LinksOfStep(size_t nodes, size_t links) const;
};

// The parameters of `defaults`, for MethodInfo.
std::vector<MethodParameter> GraphTrainingParameters(
    const GraphTrainingOptions& defaults);
GraphTrainingOptions ReadGraphTraining(const ParameterValues& values);

// Whether early stopping looks at the ranks of valid links: where it is told
// so, or where a scorer that knows relations has many to tell apart.
bool ChoosesByRank(const GraphSnapshot& snapshot,
                   const GraphTrainingOptions& options, bool has_scorer);
// One width for all layers.
EncoderShape ShapeOf(const GraphTrainingOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GRAPH_OPTIONS_H_
