#include "trainer/methods/messages/message_block.h"

#include <cmath>

namespace slice {

// A counting sort, which keeps the order of the arcs of each source.
void MessageBlock::FillColumns() {
  column_start.assign(source_count() + 1, 0);
  for (const uint32_t at : source) ++column_start[at + 1];
  for (size_t i = 1; i < column_start.size(); ++i) {
    column_start[i] += column_start[i - 1];
  }
  std::vector<uint64_t> next(column_start.begin(), column_start.end() - 1);
  column_arcs.resize(arc_count());
  for (uint32_t arc = 0; arc < arc_count(); ++arc) {
    column_arcs[next[source[arc]]++] = arc;
  }
}

std::vector<float> SymmetricWeights(const MessageBlock& block, bool self_arcs) {
  const float self = self_arcs ? 1 : 0;
  std::vector<float> weights(block.arc_count());
  for (size_t arc = 0; arc < weights.size(); ++arc) {
    const float source_degree = block.degree[block.source[arc]] + self;
    const float destination_degree =
        block.degree[block.destination[arc]] + self;
    weights[arc] =
        block.scale[arc] / std::sqrt(destination_degree * source_degree);
  }
  return weights;
}

MessageBlock BlockOfPairs(std::span<const uint32_t> first,
                          std::span<const uint32_t> second, size_t node_count,
                          std::vector<uint32_t>& arc_of_pair) {
  MessageBlock block;
  block.destination_count = node_count;
  block.nodes.resize(node_count);
  block.row_start.assign(node_count + 1, 0);
  for (const uint32_t node : first) ++block.row_start[node + 1];
  for (size_t i = 1; i <= node_count; ++i) {
    block.row_start[i] += block.row_start[i - 1];
  }
  std::vector<uint64_t> next(block.row_start.begin(),
                             block.row_start.end() - 1);
  block.source.resize(first.size());
  block.destination.resize(first.size());
  arc_of_pair.resize(first.size());
  for (size_t i = 0; i < first.size(); ++i) {
    arc_of_pair[i] = static_cast<uint32_t>(next[first[i]]++);
    block.destination[arc_of_pair[i]] = first[i];
    block.source[arc_of_pair[i]] = second[i];
  }
  block.FillColumns();
  return block;
}

}  // namespace slice
