// Lists the paths between the ends of a link once, and then computes path sums
// (context/path_sums.h) as often as wanted, each time without some types of
// paths. This is how an explanation takes paths away from the pair features
// (context/link_evidence.h).
#ifndef SLICE_CONTEXT_PATH_LEDGER_H_
#define SLICE_CONTEXT_PATH_LEDGER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "context/path_evidence.h"
#include "context/path_filter.h"
#include "context/path_listing.h"
#include "context/path_rules.h"
#include "context/path_sums.h"
#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// What the paths that a filter keeps add up to. Paths of one link are the
// visible links between the two ends.
struct LedgerSums {
  PathSums paths;  // its rules include those of one link
  double forward = 0, backward = 0, backward_alike = 0;  // paths of one link
};

// Immutable; thread-safe. Does not refer to the graph once it is made.
class PathLedger {
 public:
  // Lists the paths of `link`. The sampled nodes are those of PathEvidence, so
  // that Sum() without a filter gives the sums of PathEvidence. Paths of three
  // links have very many types; only the first 64 of `tracked` are told apart,
  // and all others are listed together. `rules` may be null; otherwise they
  // must outlive the ledger.
  PathLedger(const GraphView& view, const Link& link, const PathFanOut& fan_out,
             std::span<const PathType> tracked, const PathRules* rules);

  // The sums over the paths that `filter` keeps. The graph stays the same: the
  // degrees of nodes do not change. Paths over the same inner nodes count as
  // one path, which is gone when all of its types are left out. REQUIRES: the
  // types of three links in `filter` are tracked.
  LedgerSums Sum(const PathFilter& filter) const;

  // The links of the shortest paths that `filter` keeps; 0 when it keeps none.
  int Shortest(const PathFilter& filter) const;

  // How many types the listed paths of this length have; of three links, all
  // types that are not tracked count as one. And how many paths there are.
  // Sampled paths are scaled up.
  size_t types(int length) const;
  double paths(int length) const;

  // The visible distinct neighbours of the ends.
  size_t source_degree() const { return paths_.source_degree; }
  size_t target_degree() const { return paths_.target_degree; }

 private:
  // A type that has a rule.
  struct RuleEntry {
    PathType type;
    uint32_t rule = 0;  // its position among the rules
    double count = 0;   // how many paths have this type
  };
  void SumTwoPaths(const PathFilter& filter, CommonNeighborSums& sums) const;
  void SumThreePaths(const PathFilter& filter, ThreePathEvidence& sums) const;
  void FindRules(std::span<const ListedType> types);
  void SumRules(const PathFilter& filter, RuleEvidence& evidence) const;

  const RelationId relation_;
  const PathRules* const rules_;
  const PathListing paths_;
  std::vector<RuleEntry> rule_types_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_LEDGER_H_
