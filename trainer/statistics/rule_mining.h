// Finds the path rules of a graph and measures how often they hold.
#ifndef SLICE_TRAINER_STATISTICS_RULE_MINING_H_
#define SLICE_TRAINER_STATISTICS_RULE_MINING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/path_rules.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/link_folds.h"

namespace slice {

struct RuleMiningOptions {
  bool hide_pair = true;  // else rules of one link are made as well
  // Links of a relation whose paths are looked at, rules kept of those that
  // join at least `least_support` of them, the commonest first.
  size_t discovery_links = 1000;
  size_t least_support = 2;
  size_t most_rules = 512;  // of a relation
  // Questions that rules are measured by: at most so many in all, but at least
  // `least_questions` for a relation and a known end, and no more of them after
  // so many links were looked at.
  size_t questions = 40000;
  size_t least_questions = 64;
  uint64_t work = 3'000'000'000;
  int threads = 1;
  uint64_t seed = 0;
};

// The rules of all links, and before them, for each of `folds`, the same rules
// measured without the links of that fold: [folds + 1].
//
// A rule is measured by asking for the missing end of links, each hidden with
// its pair: of the nodes that n paths of the type lead to, other answers left
// out, the share that are right. Shares of few nodes are drawn to that of all
// n, and that to 0: (hits + 5 prior) / (nodes + 5). Deterministic.
std::vector<PathRules> MinePathRules(const GraphSnapshot& graph,
                                     const LinkFolds& folds,
                                     const RuleMiningOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_STATISTICS_RULE_MINING_H_
