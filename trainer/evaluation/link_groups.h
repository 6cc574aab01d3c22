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
  std::vector<int32_t> group;  // [links], into names
};

// One group per relation, with its name in the graph.
LinkGrouping GroupByRelation(const GraphSnapshot& snapshot,
                             std::span<const Link> links);

// "cold": an end without any link in the graph; "warm": the others.
LinkGrouping GroupByColdness(const GraphSnapshot& snapshot,
                             std::span<const Link> links);

// "reversed": the graph has the link from target to source. "otherwise":
// another relation links the pair. "unlinked": all others, and self loops.
LinkGrouping GroupByPairLinks(const GraphSnapshot& snapshot,
                              std::span<const Link> links);

// "path" and "no_path". `distances` are in hops with the pair hidden; -1: no
// path.
LinkGrouping GroupByPath(std::span<const int16_t> distances);

// "2", "3", … by distance, and "none" without a path.
LinkGrouping GroupByDistance(std::span<const int16_t> distances);

// By how many distinct neighbours the less connected end has beside the other
// end: "0", "1", "2-3", "4-7", … each twice as wide.
LinkGrouping GroupByDegree(const GraphSnapshot& snapshot,
                           std::span<const Link> links);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_LINK_GROUPS_H_
