#include "trainer/evaluation/grouped_mean.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace slice {

GroupedMean MeanByGroup(std::span<const double> values,
                        std::span<const uint64_t> groups) {
  if (values.empty()) return {};
  const auto count = static_cast<double>(values.size());
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / count;
  std::vector<std::pair<uint64_t, double>> by_group;
  for (size_t i = 0; i < values.size(); ++i) {
    by_group.emplace_back(groups[i], values[i] - mean);
  }
  std::sort(by_group.begin(), by_group.end());
  double squares = 0;
  for (size_t i = 0; i < by_group.size();) {
    double sum = 0;
    const uint64_t group = by_group[i].first;
    for (; i < by_group.size() && by_group[i].first == group; ++i) {
      sum += by_group[i].second;
    }
    squares += sum * sum;
  }
  return {mean, std::sqrt(squares) / count};
}

}  // namespace slice
