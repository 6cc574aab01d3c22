// Noise nodes of skip-gram.
#ifndef SLICE_TRAINER_EMBEDDING_GROUPED_NOISE_H_
#define SLICE_TRAINER_EMBEDDING_GROUPED_NOISE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "common/random.h"
#include "graphstore/types.h"
#include "trainer/embedding/alias_table.h"

namespace slice {

// Draws nodes in proportion to given weights, among all nodes or among those of
// one group. Immutable; thread-safe.
class GroupedNoise {
 public:
  // `weights` and `groups` are [nodes]. Without groups all nodes are in one.
  // REQUIRES: no weight is negative.
  explicit GroupedNoise(std::span<const double> weights,
                        std::span<const uint32_t> groups = {});

  // A node of the group of `like`. REQUIRES: some node of the group has a
  // weight above zero.
  NodeId Draw(NodeId like, Random& random) const {
    if (groups_.empty()) return tables_.front().Draw(random);
    const uint32_t group = groups_[like];
    return members_[group][tables_[group].Draw(random)];
  }

 private:
  const std::vector<uint32_t> groups_;        // [nodes], or none
  std::vector<std::vector<NodeId>> members_;  // [groups]
  std::vector<AliasTable> tables_;            // per group, or one of all nodes
};

}  // namespace slice

#endif  // SLICE_TRAINER_EMBEDDING_GROUPED_NOISE_H_
