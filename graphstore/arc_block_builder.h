// Makes blocks of arcs.
#ifndef SLICE_GRAPHSTORE_ARC_BLOCK_BUILDER_H_
#define SLICE_GRAPHSTORE_ARC_BLOCK_BUILDER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graphstore/arc_block.h"
#include "graphstore/graph_data.h"
#include "graphstore/types.h"

namespace slice {

// The rows of all nodes in one direction, by id. Takes links in any order. A
// link that occurs several times becomes one arc with the largest of its
// weights. REQUIRES: every node of a link is in the catalogue.
std::shared_ptr<const ArcBlock> AllArcs(const GraphData& data,
                                        Direction direction);

// Makes small blocks, one after the other.
class ArcBlockBuilder {
 public:
  // `weighted`: the rows get weights.
  explicit ArcBlockBuilder(bool weighted) : weighted_(weighted) {}

  // Appends an arc to the row. REQUIRES: the arcs of a row come sorted by
  // (relation, neighbor) and are distinct.
  void AddArc(RelationId relation, NodeId neighbor, float weight) {
    arrays_.relations.push_back(relation);
    arrays_.neighbors.push_back(neighbor);
    if (weighted_) arrays_.weights.push_back(weight);
  }
  // Appends arcs to the row.
  void AddArcs(const ArcSpan& arcs);
  // Begins the next row.
  void EndRow();

  uint64_t arc_count() const { return arrays_.neighbors.size(); }

  // The rows so far. The builder begins anew.
  std::shared_ptr<const ArcBlock> Build();

 private:
  const bool weighted_;
  ArcBlock::Arrays arrays_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_ARC_BLOCK_BUILDER_H_
