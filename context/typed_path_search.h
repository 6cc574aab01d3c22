// Finds the types of the paths of one to three links between the ends of a
// link. Paths of one type travel the same signed relations. Each type becomes a
// path token (docs/model.md, "Tokens and context").
#ifndef SLICE_CONTEXT_TYPED_PATH_SEARCH_H_
#define SLICE_CONTEXT_TYPED_PATH_SEARCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/end_neighborhood.h"
#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// All paths of one type, added up. The weight of a path is the product of
// d^-1/2 over its inner nodes, with d the number of visible distinct
// neighbours.
struct TypedPath {
  // The signed relations from source to target; 0 beyond the length.
  std::array<int32_t, 3> relations = {0, 0, 0};
  int length = 0;    // links: 1, 2 or 3
  float count = 0;   // how many paths
  float weight = 0;  // sum of the weights of the paths
  // The weight and the inner nodes of the path of the greatest weight; of
  // several, the first one found.
  float best_weight = 0;
  std::array<NodeId, 2> inner = {kNoNode, kNoNode};
};

// Limits of the search. Where a node has more neighbours or arcs than a limit,
// a strided sample of this many is visited.
struct TypedPathLimits {
  // 2-paths: neighbours of the source, or of the target if only the source has
  // more than this.
  size_t common = 256;
  size_t first = 40;   // 3-paths: neighbours of the source
  size_t second = 64;  // 3-paths: arcs of each of these neighbours
  size_t types = 12;   // types kept, those of the greatest weight
};

// Thread-compatible; keeps its scratch memory (8 bytes per node of the graph)
// from one link to the next.
class TypedPathSearch {
 public:
  // The limits.types types of the greatest weight, the greatest first. Counts
  // and weights of a sample are scaled up. No path has an end as an inner node.
  // Deterministic. The result is valid until the next call.
  const std::vector<TypedPath>& Find(const GraphView& view, const Link& link,
                                     const TypedPathLimits& limits);

  // Whether the last search visited only a sample.
  bool truncated() const { return truncated_; }
  // The links of the shortest path that the last search found, of whatever
  // weight; 0 when it found none.
  int shortest() const { return shortest_; }

 private:
  struct Cell {
    uint32_t epoch = 0;
    uint32_t index = 0;  // into found_
  };

  void FindOneStep(const GraphView& view, const Link& link);
  void FindTwoSteps(const GraphView& view, const Link& link, size_t limit);
  void FindThreeSteps(const GraphView& view, const Link& link,
                      const TypedPathLimits& limits);
  float GatherArcs(const GraphView& view, NodeId node, size_t limit);
  float GatherVisibleArcs(const GraphView& view, NodeId node, size_t size,
                          size_t limit);
  void Add(const std::array<int32_t, 3>& relations, float times, float weight,
           NodeId x, NodeId y);
  void GrowTable();

  EndNeighborhood source_, target_;
  std::vector<TypedPath> found_;
  // A hash table from relations to found_, with open addressing; its size is a
  // power of two. A cell is in use when its epoch is epoch_.
  std::vector<Cell> table_;
  uint32_t epoch_ = 0;
  bool truncated_ = false;
  int shortest_ = 0;
  // Of the first step u - x at hand: its signed relations, and the arcs of x
  // that may lead on.
  std::vector<int32_t> first_relations_;
  std::vector<Arc> arcs_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_TYPED_PATH_SEARCH_H_
