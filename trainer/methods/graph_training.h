// How networks of message passing learn to tell links from other pairs.
#ifndef SLICE_TRAINER_METHODS_GRAPH_TRAINING_H_
#define SLICE_TRAINER_METHODS_GRAPH_TRAINING_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/methods/link_method.h"

namespace slice {

class GraphEncoder;
struct EncoderShape;

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
  double weight_decay = 0;
  // The whole graph in every step where that takes little memory, or a sample.
  std::string graph = "auto";
  int neighbors = 10;
  int batch_size = 1024;
  // What early stopping looks at.
  std::string choose_by = "auto";

  // The score of a link is a dot product, or with a vector per relation.
  bool distmult = false;
  std::string title;  // of the progress line
};

// The parameters of `defaults`, for MethodInfo.
std::vector<MethodParameter> GraphTrainingParameters(
    const GraphTrainingOptions& defaults);
GraphTrainingOptions ReadGraphTraining(const ParameterValues& values);

// Whether early stopping looks at the ranks of valid links.
bool ChoosesByRank(const GraphSnapshot& snapshot,
                   const GraphTrainingOptions& options);
// One width for all layers.
EncoderShape ShapeOf(const GraphTrainingOptions& options);

// About how much memory a training takes beside the graph, in MiB: a learned
// vector per node with what Adam keeps of it, the arcs, and the states of all
// layers for a step's nodes.
double GraphTrainingMib(const MethodInput& input,
                        const ParameterValues& parameters);

using MakeEncoder = std::function<std::unique_ptr<GraphEncoder>()>;

// Trains the encoder that `make` makes, and a learned vector per node as its
// input, by cross-entropy on train links, a part of which is scored in each
// step while the others carry the messages. Errors as TrainMethod's.
absl::StatusOr<std::unique_ptr<const TrainedMethod>> TrainGraphNetwork(
    const MethodInput& input, const GraphTrainingOptions& options,
    const MakeEncoder& make);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_GRAPH_TRAINING_H_
