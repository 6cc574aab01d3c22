#include "trainer/methods/walks/gatne/gatne_batches.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "trainer/methods/walks/walk_method.h"

namespace slice {
namespace {

// The weight of each node as noise; 0 for nodes without a neighbour.
std::vector<double> NoiseWeights(const LayeredGraph& graph, double power) {
  std::vector<double> weights(graph.node_count());
  for (LayerNode i = 0; i < graph.layer_node_count(); ++i) {
    weights[graph.NodeOf(i)] += static_cast<double>(graph.Neighbors(i).size());
  }
  for (double& weight : weights) {
    if (weight > 0) weight = std::pow(weight, power);
  }
  return weights;
}

}  // namespace

GatneBatches::GatneBatches(const GraphSnapshot& snapshot,
                           const LayeredGraph& graph,
                           const GatneBatchOptions& options)
    : graph_(graph),
      options_(options),
      noise_(NoiseWeights(graph, options.noise_power),
             options.typed_noise ? NoiseTypes(snapshot)
                                 : std::vector<uint32_t>()) {}

WalkWindows GatneBatches::Draw(std::span<const LayerNode> starts,
                               uint64_t round) const {
  std::vector<LayerNode> sorted(starts.begin(), starts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [&](LayerNode a, LayerNode b) {
    return graph_.RelationOf(a) < graph_.RelationOf(b);
  });
  std::vector<LayerNode> walk(options_.walk_length);
  std::vector<NodeId> nodes(options_.walk_length);
  WalkWindows batch;
  for (const LayerNode start : sorted) {
    Random random(CombineHash(CombineHash(options_.seed, round), start));
    graph_.Walk(start, random, walk);
    std::transform(walk.begin(), walk.end(), nodes.begin(),
                   [&](LayerNode i) { return graph_.NodeOf(i); });
    for (size_t at = 0; at < walk.size(); ++at) {
      AddWindow(
          nodes, at, walk[at], options_.window,
          [&](NodeId context) { return noise_.Draw(context, random); }, batch);
    }
  }
  return batch;
}

}  // namespace slice
