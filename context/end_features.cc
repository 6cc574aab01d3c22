#include "context/end_features.h"

#include <numeric>

#include "common/parallel.h"
#include "graphstore/graph_view.h"

namespace slice {
namespace {

constexpr size_t kGrain = 256;  // nodes that a thread takes at once

}  // namespace

EndFeatures::EndFeatures(const GraphSnapshot& snapshot,
                         const LinkEncoder& encoder, const EndColumns& columns,
                         RelationId relation, int threads)
    : columns_(&columns) {
  const size_t nodes = snapshot.node_count();
  const size_t packed = columns.packed_count();
  packed_.resize(nodes * packed);
  for (auto& links : links_) links.resize(nodes);
  PairFeatureTables tables = encoder.tables().ForPairs();
  tables.spectral = nullptr;
  tables.walks = nullptr;
  tables.rules = nullptr;
  const GraphView view(snapshot);
  const auto compute = [&](size_t begin, size_t end, int) {
    std::vector<float> row(columns.feature_count());
    for (size_t i = begin; i < end; ++i) {
      const auto node = static_cast<NodeId>(i);
      for (const Direction direction : {Direction::kOut, Direction::kIn}) {
        links_[static_cast<size_t>(direction)][node] = static_cast<uint32_t>(
            snapshot.Neighbors(node, relation, direction).size());
      }
      encoder.pair_features().ComputeWith({}, view, {node, relation, node},
                                          tables, row);
      if (encoder.tables().scaling) encoder.tables().scaling->Apply(row);
      columns.Pack(row, std::span(packed_).subspan(i * packed, packed));
    }
  };
  ParallelFor(nodes, kGrain, threads, compute);
  relation_links_ = std::accumulate(links_[0].begin(), links_[0].end(), 0.0);
}

size_t EndFeatures::bytes() const {
  return sizeof(float) * packed_.size() +
         sizeof(uint32_t) * (links_[0].size() + links_[1].size());
}

}  // namespace slice
