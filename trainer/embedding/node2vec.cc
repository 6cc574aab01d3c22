// node2vec in three steps: a flat copy of the visible graph (WalkGraph), biased
// walks from every node with a neighbour (RandomWalks), and skip-gram, which
// trains on the walks while they are made (TrainOnWalks). Nodes without a
// visible link get mean vectors at the end.
#include "trainer/embedding/node2vec.h"

#include <utility>

#include "absl/time/clock.h"
#include "common/processor_count.h"
#include "common/range_check.h"
#include "common/status_macros.h"
#include "trainer/embedding/random_walks.h"
#include "trainer/embedding/type_means.h"
#include "trainer/embedding/walk_graph.h"
#include "trainer/embedding/walk_training.h"

namespace slice {
namespace {

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
  return {.dim = 128,
          .walks_per_node = 10,
          .walk_length = 80,
          .window = 5,
          .subsample = 1e-3};
}

absl::Status Node2vecOptions::Validate() const {
  const RangedNumber numbers[] = {
      {"dim", double(dim), 1, 4096},
      {"walks_per_node", double(walks_per_node), 1, 1e6},
      {"walk_length", double(walk_length), 2, 1e6},
      {"window", double(window), 1, 1000},
      {"negatives", double(negatives), 1, 1000},
      {"p", p, 1e-3, 1e3},
      {"q", q, 1e-3, 1e3},
      {"subsample", subsample, 0, 1},
      {"epochs", double(epochs), 1, 1000},
      {"learning_rate", learning_rate, 1e-9, 1},
      {"threads", double(threads), 0, 1024},
  };
  return CheckRanges("node2vec ", numbers);
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
    SLICE_ASSIGN_OR_RETURN(
        SkipGramVectors vectors,
        TrainOnWalks(walks, graph.LinkedNodes(), graph.node_count(), training,
                     {}, trained));
    embeddings = std::move(vectors.inputs);
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
