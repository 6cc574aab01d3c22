// How networks of message passing learn to tell links from other pairs.
#ifndef SLICE_TRAINER_METHODS_MESSAGES_GRAPH_TRAINING_H_
#define SLICE_TRAINER_METHODS_MESSAGES_GRAPH_TRAINING_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/methods/link_method.h"

namespace slice {

class GraphEncoder;
class LinkScorer;
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

// What makes vectors of nodes, and scores of these.
struct GraphNetwork {
  std::unique_ptr<GraphEncoder> encoder;
  std::shared_ptr<const LinkScorer> scorer;  // null: dot product
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

// About how much memory a training takes beside the graph, in MiB: a learned
// vector per node with what Adam keeps of it, the arcs, the states of all
// layers for a step's nodes, and the scores of a step's candidates.
double GraphTrainingMib(const MethodInput& input,
                        const ParameterValues& parameters);

using MakeNetwork = std::function<absl::StatusOr<GraphNetwork>()>;

// Trains the network that `make` makes, and a learned vector per node as its
// input, by cross-entropy on train links, a part of which is scored in each
// step while the others carry the messages. Errors as TrainMethod's.
absl::StatusOr<std::unique_ptr<const TrainedMethod>> TrainGraphNetwork(
    const MethodInput& input, const GraphTrainingOptions& options,
    const MakeNetwork& make);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_MESSAGES_GRAPH_TRAINING_H_
