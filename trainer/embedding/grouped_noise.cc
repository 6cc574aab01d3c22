#include "trainer/embedding/grouped_noise.h"

namespace slice {

GroupedNoise::GroupedNoise(std::span<const double> weights,
                           std::span<const uint32_t> groups)
    : groups_(groups.begin(), groups.end()) {
  if (groups_.empty()) {
    tables_.emplace_back(weights);
    return;
  }
  std::vector<std::vector<double>> of_group;
  for (NodeId node = 0; node < weights.size(); ++node) {
    const size_t group = groups_[node];
    if (group >= members_.size()) {
      members_.resize(group + 1);
      of_group.resize(group + 1);
    }
    members_[group].push_back(node);
    of_group[group].push_back(weights[node]);
  }
  for (const std::vector<double>& group : of_group) tables_.emplace_back(group);
}

}  // namespace slice
