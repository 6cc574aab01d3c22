#include "context/unknown_nodes.h"

#include <algorithm>
#include <cmath>

#include "context/neighbor_sample.h"

namespace slice {
namespace {

double SquaredLength(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += double{value} * value;
  return sum;
}

}  // namespace

UnknownNodes::UnknownNodes(const NodeEmbeddings& embeddings,
                           const GraphSnapshot& trained)
    : embeddings_(embeddings),
      known_(trained.node_count()),
      dim_(embeddings.dim),
      types_(trained.node_type_count()) {
  std::vector<double> sums((types_ + 1) * dim_);
  std::vector<double> squares(types_ + 1);
  std::vector<size_t> counts(types_ + 1);
  for (NodeId node = 0; node < known_; ++node) {
    const std::span<const float> row = embeddings.Row(node);
    const double square = SquaredLength(row);
    for (const size_t group : {size_t{trained.Type(node)}, types_}) {
      for (size_t i = 0; i < row.size(); ++i) sums[group * dim_ + i] += row[i];
      squares[group] += square;
      ++counts[group];
    }
  }
  means_.resize(sums.size());
  for (size_t group = 0; group <= types_; ++group) {
    const size_t of = counts[group] == 0 ? types_ : group;
    const auto count = static_cast<double>(std::max<size_t>(1, counts[of]));
    for (size_t i = 0; i < dim_; ++i) {
      means_[group * dim_ + i] =
          static_cast<float>(sums[of * dim_ + i] / count);
    }
    lengths_.push_back(static_cast<float>(std::sqrt(squares[of] / count)));
  }
}

size_t UnknownNodes::GroupOf(NodeTypeId type) const {
  return std::min<size_t>(type, types_);
}

std::span<const float> UnknownNodes::MeanOf(NodeTypeId type) const {
  return std::span(means_).subspan(GroupOf(type) * dim_, dim_);
}

void UnknownNodes::Embed(const GraphView& view, NodeId node,
                         std::vector<float>& values) const {
  const size_t group = GroupOf(view.snapshot().Type(node));
  const auto mean = std::span(means_).subspan(group * dim_, dim_);
  values.assign(mean.begin(), mean.end());
  size_t neighbors = 0;
  ForEachSampled(view.Neighbors(node), kMostNeighbors, [&](NodeId neighbor) {
    if (IsUnknown(neighbor)) return;
    const std::span<const float> row = embeddings_.Row(neighbor);
    for (size_t i = 0; i < dim_; ++i) values[i] += row[i];
    ++neighbors;
  });
  const double length = std::sqrt(SquaredLength(values));
  if (neighbors == 0 || length == 0) {
    std::copy(mean.begin(), mean.end(), values.begin());
    return;
  }
  const auto scale = static_cast<float>(lengths_[group] / length);
  for (float& value : values) value *= scale;
}

}  // namespace slice
