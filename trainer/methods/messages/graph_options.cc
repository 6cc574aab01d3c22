// The parameters in one order for all methods of message passing, and what
// follows from them: whether a step runs on the whole graph or on samples, how
// many links it scores, and which measure stops the training early.
#include "trainer/methods/messages/graph_options.h"

#include <algorithm>
#include <utility>

namespace slice {
namespace {

// `words` with the default `first` at the front, as MethodParameter::Word()
// requires.
std::vector<std::string> Words(const std::string& first,
                               std::vector<std::string> words) {
  std::stable_partition(words.begin(), words.end(),
                        [&](const std::string& word) { return word == first; });
  return words;
}

}  // namespace

GraphTrainingOptions DotProductDefaults() {
  return {.dim = 64,
          .layers = 1,
          .dropout = 0.3,
          .patience = 6,
          .learning_rate = 0.03};
}

GraphTrainingOptions RelationalDefaults() {
  return {.dim = 100,
          .layers = 1,
          .epochs = 20,
          .patience = 5,
          .candidates = 1000,
          .decay = "linear"};
}

std::vector<MethodParameter> GraphTrainingParameters(
    const GraphTrainingOptions& defaults) {
  using P = MethodParameter;
  return {
      P::Whole("dim", defaults.dim, 1, 4096, "numbers per node, in all layers"),
      P::Whole("layers", defaults.layers, 1, 8, ""),
      P::Word("output", Words(defaults.output, {"last", "all"}),
              "layers that make the vector of a node"),
      P::Number("dropout", defaults.dropout, 0, 0.95,
                "of the input of each layer, of the attention of hgt, and of "
                "queries to a scorer"),
      P::Whole("epochs", defaults.epochs, 1, 100000, "at most"),
      P::Whole("patience", defaults.patience, 0, 1000,
               "epochs without an improvement on valid; 0: no limit"),
      P::Whole("parts", defaults.parts, 2, kMostEpochSteps,
               "steps of an epoch on the whole graph: the links of one part "
               "are scored, the other links carry messages"),
      P::Whole("negatives", defaults.negatives, 1, 1000, "per positive"),
      P::Whole("candidates", defaults.candidates, 0, 100000,
               "nodes drawn for each step; a softmax loss makes each link find "
               "its ends among them when choose_by is mrr; 0: no such loss"),
      P::Number("learning_rate", defaults.learning_rate, 1e-9, 10, ""),
      P::Word("decay", Words(defaults.decay, {"none", "linear"}),
              "of the learning rate; linear: to zero after the last epoch"),
      P::Number("weight_decay", defaults.weight_decay, 0, 100,
                "of the learned node vectors"),
      P::Word("graph", Words(defaults.graph, {"auto", "whole", "sampled"}),
              "what a step runs on; auto: the whole graph when it is small"),
      P::Whole("neighbors", defaults.neighbors, 1, 10000,
               defaults.nodes_of_type > 0
                   ? "sampled: arcs of a node with one label that add to the "
                     "budgets of HGSampling"
                   : "sampled: arcs into a node, per layer"),
      P::Whole("batch_size", defaults.batch_size, 1, 1000000,
               "sampled: positives of a step"),
      P::Word("choose_by", Words(defaults.choose_by, {"auto", "auroc", "mrr"}),
              "the measure of early stopping on valid; auto: mrr for methods "
              "with a scorer on graphs with many relations"),
  };
}

GraphTrainingOptions ReadGraphTraining(const ParameterValues& values) {
  GraphTrainingOptions options;
  options.dim = values.Whole("dim");
  options.layers = values.Whole("layers");
  options.output = values.Word("output");
  options.dropout = values.Number("dropout");
  options.epochs = values.Whole("epochs");
  options.patience = values.Whole("patience");
  options.parts = values.Whole("parts");
  options.negatives = values.Whole("negatives");
  options.candidates = values.Whole("candidates");
  options.learning_rate = values.Number("learning_rate");
  options.decay = values.Word("decay");
  options.weight_decay = values.Number("weight_decay");
  options.graph = values.Word("graph");
  options.neighbors = values.Whole("neighbors");
  options.batch_size = values.Whole("batch_size");
  options.choose_by = values.Word("choose_by");
  return options;
}

bool ChoosesByRank(const GraphSnapshot& snapshot,
                   const GraphTrainingOptions& options, bool has_scorer) {
  constexpr size_t kManyRelations = 20;
  if (options.choose_by != "auto") return options.choose_by == "mrr";
  return has_scorer && snapshot.relation_count() >= kManyRelations;
}

double GraphTrainingOptions::WholeGraphBytes(size_t nodes, size_t arcs) const {
  const double per_node = 4.0 * dim * (layers + last_heads) * 8;
  const double per_arc = 4.0 * (40 + vectors_of_arc * dim * layers);
  return per_node * static_cast<double>(nodes) +
         per_arc * static_cast<double>(arcs);
}

bool GraphTrainingOptions::UsesSamples(size_t nodes, size_t arcs) const {
  if (graph != "auto") return graph == "sampled";
  return WholeGraphBytes(nodes, arcs) > kMostWholeGraphBytes;
}

double GraphTrainingOptions::BytesOfStep(double whole_graph) const {
  return graph == "whole" ? whole_graph
                          : std::min(kMostWholeGraphBytes, whole_graph);
}

double GraphTrainingOptions::MostArcsAtOnce() const {
  return kMostWholeGraphBytes / (4.0 * dim * std::max(vectors_of_arc, 1));
}

// With one part a step would hide all links, and there would be no messages.
int GraphTrainingOptions::Parts(bool samples, size_t links) const {
  if (!samples) return parts;
  return std::max(
      parts, static_cast<int>(1 + links / static_cast<size_t>(batch_size)));
}

double GraphTrainingOptions::LinksPerStep(size_t nodes, size_t links) const {
  const double positives =
      static_cast<double>(links) / Parts(UsesSamples(nodes, 2 * links), links);
  return positives * (1 + negatives);
}

EncoderShape ShapeOf(const GraphTrainingOptions& options) {
  EncoderShape shape;
  shape.input = shape.hidden = shape.output = options.dim;
  shape.layers = options.layers;
  shape.dropout = options.dropout;
  return shape;
}

}  // namespace slice
