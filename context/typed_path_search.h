// The 1-, 2- and 3-paths between the ends of a link, gathered by the relations
// they travel: what the tokens between the ends stand for (model.md 4c).
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

// All paths of one type: the signed relations travelled from source to target.
struct TypedPath {
  std::array<int32_t, 3> relations = {0, 0, 0};  // 0 beyond the length
  int length = 0;                                // links: 1, 2 or 3
  float count = 0;
  float weight = 0;  // sum over paths of the product of d^-1/2 of inner nodes
  // The path of the greatest weight (ties: found first), its inner nodes.
  float best_weight = 0;
  std::array<NodeId, 2> inner = {kNoNode, kNoNode};
};

struct TypedPathLimits {
  size_t common = 256;  // neighbours of the source tried for 2-paths
  size_t first = 40;    // of these, for 3-paths
  size_t second = 64;   // arcs of each of these
  size_t types = 12;    // types kept
};

// Thread-compatible; keeps its scratch memory (16 bytes per node of the graph)
// from one link to the next.
class TypedPathSearch {
 public:
  // The types with the greatest weight, those first; beyond the limits a
  // strided sample, counts and weights scaled back. Deterministic. An inner
  // node is never an end. Valid until the next call.
  const std::vector<TypedPath>& Find(const GraphView& view, const Link& link,
                                     const TypedPathLimits& limits);

  // Whether the last search looked at a sample only.
  bool truncated() const { return truncated_; }

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
  std::vector<Cell> table_;  // open addressing by relations, a power of two
  uint32_t epoch_ = 0;
  bool truncated_ = false;
  std::vector<int32_t> first_relations_;
  std::vector<Arc> arcs_;  // from the first step at hand
};

}  // namespace slice

#endif  // SLICE_CONTEXT_TYPED_PATH_SEARCH_H_
