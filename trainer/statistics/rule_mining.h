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
  // True: the other links of the own pair are hidden. False: they are seen, and
  // rules of one link are made of them too.
  bool hide_pair = true;

  // Discovery: the paths between the ends of `discovery_links` links of each
  // relation are found. A type of path that joins at least `least_support` of
  // these links becomes a rule, the commonest `most_rules` of a relation.
  size_t discovery_links = 1000;
  size_t least_support = 2;
  size_t most_rules = 512;

  // Measurement: `questions` are shared by the relations and the two known
  // ends, with `least_questions` for each of these at least. Asking ends early
  // when `work` links were walked over in all.
  size_t questions = 40000;
  size_t least_questions = 64;
  uint64_t work = 3'000'000'000;
  int threads = 1;
  uint64_t seed = 0;
};

// The rules of the graph, [folds + 1]: for each fold as measured without the
// links of that fold, and at the end as measured with all links.
//
// A rule is measured by hiding links, each with its pair, and asking for the
// missing end. Its confidence for n paths is the share of right answers among
// the nodes that n paths of its type lead to; nodes that are the answer of
// another link are left out. The share is shrunk towards the one for any n, and
// that towards 0: (hits + 5 prior) / (nodes + 5). Deterministic.
std::vector<PathRules> MinePathRules(const GraphSnapshot& graph,
                                     const LinkFolds& folds,
                                     const RuleMiningOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_STATISTICS_RULE_MINING_H_
