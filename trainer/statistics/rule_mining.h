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
  // Whether a link is hidden together with all other links between its ends,
  // while paths between these ends are looked for. If false, the other links
  // are seen, so that paths of one link become rules too.
  bool hide_pair = true;

  // Discovery looks for paths between the two ends of a link, for
  // `discovery_links` links of each relation. A type of path that joins the
  // ends of at least `least_support` of these links becomes a rule. A relation
  // keeps its commonest `most_rules` rules.
  size_t discovery_links = 1000;
  size_t least_support = 2;
  size_t most_rules = 512;

  // Measurement asks `questions` questions in total, an equal number for each
  // relation and each known end, but at least `least_questions` for each. It
  // stops early once it has visited about `work` links in total.
  size_t questions = 40000;
  size_t least_questions = 64;
  uint64_t work = 3'000'000'000;
  int threads = 1;
  uint64_t seed = 0;
};

// Returns the rules of the graph folds + 1 times, each time with other
// confidences: first for each fold, as measured without the links of that fold,
// and last as measured with all links.
//
// To measure a rule, a link is hidden, with `hide_pair` together with all links
// of its pair, and its missing end is asked for from the known end. The rule
// answers with the nodes to which paths of its type lead, except nodes that the
// relation links to the known end by another link. A right answer is a hit. The
// confidence of the rule for n paths, where n stands for all counts in one
// bucket of PathRules, is
//   confidence(n) = (hits + 5 prior) / (nodes + 5)
// where `nodes` counts the answers to which n paths lead, `hits` the hits among
// them, and `prior` is the same quotient over all n, with a prior of 0. The
// result is deterministic.
std::vector<PathRules> MinePathRules(const GraphSnapshot& graph,
                                     const LinkFolds& folds,
                                     const RuleMiningOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_STATISTICS_RULE_MINING_H_
