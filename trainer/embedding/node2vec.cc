// node2vec in three steps: a flat copy of the visible graph (WalkGraph), biased
// walks from every node with a neighbour (RandomWalks), and skip-gram over
// these walks as they are made (TrainOnWalks). Nodes without a visible link get
// mean vectors at the end.
#include "trainer/embedding/node2vec.h"

#include <utility>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/processor_count.h"
#include "common/status_macros.h"
#include "trainer/embedding/random_walks.h"
#include "trainer/embedding/type_means.h"
#include "trainer/embedding/walk_graph.h"
#include "trainer/embedding/walk_training.h"

namespace slice {
namespace {

absl::Status CheckRange(const char* field, double value, double low,
                        double high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrFormat(
      "node2vec %s is %g; it must be from %g to %g", field, value, low, high));
}

// Fills the rows of nodes without a visible link; returns how many there are.
size_t FillIsolatedNodes(const GraphSnapshot& snapshot, const WalkGraph& graph,
                         int dim, std::vector<float>& embeddings) {
  std::vector<bool> linked(graph.node_count());
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    linked[node] = graph.Degree(node) > 0;
  }
  return FillWithTypeMeans(snapshot, linked, dim, embeddings);
}

}  // namespace

Node2vecOptions PaperNode2vec() {
  Node2vecOptions options;
  options.dim = 128;
  options.walks_per_node = 10;
  options.walk_length = 80;
  options.window = 5;
  options.subsample = 1e-3;
  return options;
}

absl::Status Node2vecOptions::Validate() const {
  SLICE_RETURN_IF_ERROR(CheckRange("dim", dim, 1, 4096));
  SLICE_RETURN_IF_ERROR(CheckRange("walks_per_node", walks_per_node, 1, 1e6));
  SLICE_RETURN_IF_ERROR(CheckRange("walk_length", walk_length, 2, 1e6));
  SLICE_RETURN_IF_ERROR(CheckRange("window", window, 1, 1000));
  SLICE_RETURN_IF_ERROR(CheckRange("negatives", negatives, 1, 1000));
  SLICE_RETURN_IF_ERROR(CheckRange("p", p, 1e-3, 1e3));
  SLICE_RETURN_IF_ERROR(CheckRange("q", q, 1e-3, 1e3));
  SLICE_RETURN_IF_ERROR(CheckRange("subsample", subsample, 0, 1));
  SLICE_RETURN_IF_ERROR(CheckRange("epochs", epochs, 1, 1000));
  SLICE_RETURN_IF_ERROR(CheckRange("learning_rate", learning_rate, 1e-9, 1));
  return CheckRange("threads", threads, 0, 1024);
}

absl::StatusOr<std::vector<float>> TrainNode2vec(const GraphView& view,
                                                 const Node2vecOptions& options,
                                                 Node2vecSummary* summary) {
  SLICE_RETURN_IF_ERROR(options.Validate());
  const absl::Time start = absl::Now();
  const WalkGraph graph(view);
  const int threads = options.threads > 0 ? options.threads : ProcessorCount();
  Node2vecSummary own_summary;
  std::vector<float> embeddings(graph.node_count() * options.dim, 0.0f);
  if (graph.arc_count() > 0) {
    const RandomWalks walks(
        graph, {options.walk_length, options.p, options.q, options.seed});
    WalkTrainingOptions training;
    training.dim = options.dim;
    training.rounds =
        static_cast<uint64_t>(options.walks_per_node) * options.epochs;
    training.window = options.window;
    training.negatives = options.negatives;
    training.subsample = options.subsample;
    training.learning_rate = options.learning_rate;
    training.threads = threads;
    training.seed = options.seed;
    training.budget = options.budget;
    WalkTrainingSummary trained;
    embeddings = TrainOnWalks(walks, graph.LinkedNodes(), graph.node_count(),
                              training, {}, trained)
                     .inputs;
    own_summary.walks = trained.walks;
    own_summary.pairs = trained.pairs;
    own_summary.losses = std::move(trained.losses);
    own_summary.cut_short = trained.cut_short;
  }
  own_summary.isolated_nodes =
      FillIsolatedNodes(view.snapshot(), graph, options.dim, embeddings);
  own_summary.seconds = absl::ToDoubleSeconds(absl::Now() - start);
  if (summary != nullptr) *summary = std::move(own_summary);
  return embeddings;
}

}  // namespace slice
