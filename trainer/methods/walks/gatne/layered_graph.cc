#include "trainer/methods/walks/gatne/layered_graph.h"

#include <algorithm>
#include <utility>

#include "common/sample_to_front.h"

namespace slice {

LayeredGraph::LayeredGraph(const GraphView& view)
    : relation_count_(view.snapshot().relation_count()) {
  std::vector<std::pair<RelationId, NodeId>> arcs;
  std::vector<NodeId> ends;  // of all arcs, in the order of neighbors_
  for (NodeId node = 0; node < view.node_count(); ++node) {
    arcs.clear();
    view.ForEachArc(node, [&](const Arc& arc) {
      if (arc.neighbor != node) arcs.emplace_back(arc.relation, arc.neighbor);
    });
    std::sort(arcs.begin(), arcs.end());
    arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
    for (size_t i = 0; i < arcs.size(); ++i) {
      ends.push_back(arcs[i].second);
      if (i + 1 < arcs.size() && arcs[i + 1].first == arcs[i].first) continue;
      nodes_.push_back(node);
      relations_.push_back(arcs[i].first);
      neighbors_.begins.push_back(ends.size());
    }
    first_.push_back(static_cast<LayerNode>(nodes_.size()));
  }
  // Only now all layer nodes have their numbers.
  neighbors_.nodes.reserve(ends.size());
  for (LayerNode i = 0; i < nodes_.size(); ++i) {
    for (uint64_t at = neighbors_.begins[i]; at < neighbors_.begins[i + 1];
         ++at) {
      neighbors_.nodes.push_back(Find(ends[at], relations_[i]));
    }
  }
}

LayerNode LayeredGraph::Find(NodeId node, RelationId relation) const {
  const auto begin = relations_.begin() + first_[node];
  const auto end = relations_.begin() + first_[node + 1];
  return static_cast<LayerNode>(std::lower_bound(begin, end, relation) -
                                relations_.begin());
}

LayerRows LayeredGraph::SampleNeighbors(size_t most, uint64_t seed) const {
  LayerRows sample;
  std::vector<LayerNode> row;
  for (LayerNode i = 0; i < layer_node_count(); ++i) {
    const auto neighbors = Neighbors(i);
    row.assign(neighbors.begin(), neighbors.end());
    if (row.size() > most) {
      Random random(CombineHash(seed, i));
      SampleToFront(std::span(row), most, random);
      row.resize(most);
    }
    sample.nodes.insert(sample.nodes.end(), row.begin(), row.end());
    sample.begins.push_back(sample.nodes.size());
  }
  return sample;
}

void LayeredGraph::Walk(LayerNode start, Random& random,
                        std::span<LayerNode> walk) const {
  walk[0] = start;
  for (size_t i = 1; i < walk.size(); ++i) {
    const auto neighbors = Neighbors(walk[i - 1]);
    walk[i] = neighbors[random.Below(static_cast<uint32_t>(neighbors.size()))];
  }
}

}  // namespace slice
