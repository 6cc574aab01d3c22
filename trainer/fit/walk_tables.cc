#include "trainer/fit/walk_tables.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/status_macros.h"
#include "trainer/embedding/random_walks.h"
#include "trainer/embedding/walk_graph.h"
#include "trainer/embedding/walk_training.h"

namespace slice {
namespace {

constexpr int kLength = 80;  // nodes of a walk
constexpr int kWindow = 5;   // so that a node has six pairs on average
constexpr double kPairs = 6.0 * kLength;  // of a walk
constexpr double kMostRounds = 20;

void ClearUnlinked(const WalkGraph& graph, size_t dim,
                   std::vector<float>& values) {
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    if (graph.Degree(node) > 0) continue;
    std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(node * dim), dim,
                0.0f);
  }
}

}  // namespace

absl::Status AddWalkTables(const GraphView& view,
                           const WalkTableOptions& options,
                           GraphStatistics& statistics) {
  const WalkGraph graph(view);
  const size_t nodes = graph.node_count();
  const auto dim = static_cast<size_t>(options.dim);
  std::vector<NodeId> starts = graph.LinkedNodes();
  SkipGramVectors vectors{std::vector<float>(nodes * dim),
                          std::vector<float>(nodes * dim)};
  if (!starts.empty()) {
    const RandomWalks walks(graph, {.length = kLength, .seed = options.seed});
    WalkTrainingOptions training;
    training.dim = options.dim;
    training.window = kWindow;
    training.rounds = static_cast<uint64_t>(std::clamp(
        options.pairs / (kPairs * static_cast<double>(starts.size())), 1.0,
        kMostRounds));
    training.threads = options.threads;
    training.seed = options.seed;
    training.title = options.title;
    WalkTrainingSummary summary;
    SLICE_ASSIGN_OR_RETURN(vectors, TrainOnWalks(walks, std::move(starts),
                                                 nodes, training, {}, summary));
    ClearUnlinked(graph, dim, vectors.inputs);
    ClearUnlinked(graph, dim, vectors.outputs);
  }
  const std::vector<int64_t> shape = {static_cast<int64_t>(nodes), options.dim};
  statistics.Set("walks.inputs", {shape, std::move(vectors.inputs)});
  statistics.Set("walks.outputs", {shape, std::move(vectors.outputs)});
  return absl::OkStatus();
}

void RemoveWalkTables(GraphStatistics& statistics) {
  statistics.Remove("walks.inputs");
  statistics.Remove("walks.outputs");
}

}  // namespace slice
