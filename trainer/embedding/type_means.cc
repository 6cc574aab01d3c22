#include "trainer/embedding/type_means.h"

#include <algorithm>

namespace slice {

size_t FillWithTypeMeans(const GraphSnapshot& snapshot,
                         const std::vector<bool>& has_vector, size_t dim,
                         std::vector<float>& vectors) {
  const size_t all = snapshot.node_type_count();  // the group of all
  std::vector<std::vector<double>> sums(all + 1, std::vector<double>(dim));
  std::vector<double> counts(all + 1);
  for (NodeId node = 0; node < has_vector.size(); ++node) {
    if (!has_vector[node]) continue;
    for (const size_t group : {size_t{snapshot.Type(node)}, all}) {
      ++counts[group];
      for (size_t k = 0; k < dim; ++k) {
        sums[group][k] += vectors[node * dim + k];
      }
    }
  }
  size_t filled = 0;
  for (NodeId node = 0; node < has_vector.size(); ++node) {
    if (has_vector[node]) continue;
    ++filled;
    const size_t type = snapshot.Type(node);
    const size_t group = counts[type] > 0 ? type : all;
    const double count = std::max(1.0, counts[group]);
    for (size_t k = 0; k < dim; ++k) {
      vectors[node * dim + k] = static_cast<float>(sums[group][k] / count);
    }
  }
  return filled;
}

}  // namespace slice
