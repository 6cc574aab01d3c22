#include "context/unknown_nodes.h"

#include <algorithm>

namespace slice {

UnknownNodes::UnknownNodes(const NodeEmbeddings& embeddings,
                           const GraphSnapshot& trained)
    : known_(trained.node_count()),
      dim_(embeddings.dim),
      types_(trained.node_type_count()) {
  std::vector<double> sums((types_ + 1) * dim_);
  std::vector<size_t> counts(types_ + 1);
  for (NodeId node = 0; node < known_; ++node) {
    const std::span<const float> row = embeddings.Row(node);
    for (const size_t group : {size_t{trained.Type(node)}, types_}) {
      for (size_t i = 0; i < row.size(); ++i) sums[group * dim_ + i] += row[i];
      ++counts[group];
    }
  }
  means_.resize(sums.size());
  for (size_t group = 0; group <= types_; ++group) {
    const size_t of = counts[group] == 0 ? types_ : group;
    for (size_t i = 0; i < dim_; ++i) {
      means_[group * dim_ + i] = static_cast<float>(
          sums[of * dim_ + i] /
          static_cast<double>(std::max<size_t>(1, counts[of])));
    }
  }
}

std::span<const float> UnknownNodes::EmbeddingOf(NodeTypeId type) const {
  const size_t group = std::min<size_t>(type, types_);
  return std::span(means_).subspan(group * dim_, dim_);
}

}  // namespace slice
