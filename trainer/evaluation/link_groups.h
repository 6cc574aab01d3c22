// Test links apart by what makes them easy or hard: nodes without links, pairs
// linked otherwise, degree and distance.
#ifndef SLICE_TRAINER_EVALUATION_LINK_GROUPS_H_
#define SLICE_TRAINER_EVALUATION_LINK_GROUPS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graphstore/graph_snapshot.h"

namespace slice {

// One way to part links. A link belongs to one of `names`, or to none (-1).
struct LinkGrouping {
  std::string key;    // "relation", "nodes", "pair", "path", "degree", …
  std::string title;  // "Nodes without a train link"
  std::vector<std::string> names;
  std::vector<int32_t> group;  // [links], into names
};

// By relation, named as in the graph.
LinkGrouping GroupByRelation(const GraphSnapshot& snapshot,
                             std::span<const Link> links);

// "cold": an end without any link in the graph; "warm": the others.
LinkGrouping GroupByColdness(const GraphSnapshot& snapshot,
                             std::span<const Link> links);

// "reversed": the graph has the link from target to source; "otherwise": its
// pair is linked by another relation; "unlinked". A self loop is unlinked.
LinkGrouping GroupByPairLinks(const GraphSnapshot& snapshot,
                              std::span<const Link> links);

// "path" and "no_path"; `distances` are hops with the pair hidden, -1: none.
LinkGrouping GroupByPath(std::span<const int16_t> distances);

// "2", "3", … and "none" by distance.
LinkGrouping GroupByDistance(std::span<const int16_t> distances);

// By the distinct neighbours of the less connected end, the pair's own link
// left out: "0", "1", "2-3", "4-7", … each twice as wide.
LinkGrouping GroupByDegree(const GraphSnapshot& snapshot,
                           std::span<const Link> links);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_LINK_GROUPS_H_
