// Groups test links by what makes them easy or hard: nodes without links, other
// links of the pair, degree and distance.
#ifndef SLICE_TRAINER_EVALUATION_LINK_GROUPS_H_
#define SLICE_TRAINER_EVALUATION_LINK_GROUPS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graphstore/graph_snapshot.h"

namespace slice {

// One way to group links. Each link is in one group, or in none (-1).
struct LinkGrouping {
  std::string key;    // "relation", "nodes", "pair", "path", "degree", …
  std::string title;  // "Nodes without a train link"
  std::vector<std::string> names;
  std::vector<int32_t> group;  // [links]: index into names, or -1
};

// One group per relation, with its name in the graph.
LinkGrouping GroupByRelation(const GraphSnapshot& snapshot,
                             std::span<const Link> links);

// "cold": at least one end has no link in the graph. "warm": all other links.
LinkGrouping GroupByColdness(const GraphSnapshot& snapshot,
                             std::span<const Link> links);

// "reversed": the same relation links the target to the source. "otherwise":
// another relation links the pair. "unlinked": all other links, and self loops.
LinkGrouping GroupByPairLinks(const GraphSnapshot& snapshot,
                              std::span<const Link> links);

// "path" and "no_path": whether a path joins the ends. `distances` are in hops,
// with the pair hidden; -1 means no path.
LinkGrouping GroupByPath(std::span<const int16_t> distances);

// "0", "1", … "7+": the distance in hops. "none": no path. `distances` are as
// for GroupByPath().
LinkGrouping GroupByDistance(std::span<const int16_t> distances);

// "0", "1", "2-3", "4-7", …: how many distinct neighbours the less connected
// end has, not counting the other end. Each range is twice as wide as the one
// before.
LinkGrouping GroupByDegree(const GraphSnapshot& snapshot,
                           std::span<const Link> links);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_LINK_GROUPS_H_
