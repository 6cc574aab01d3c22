// Makes blocks of neighbours.
#ifndef SLICE_GRAPHSTORE_NEIGHBOR_BLOCK_BUILDER_H_
#define SLICE_GRAPHSTORE_NEIGHBOR_BLOCK_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "graphstore/arc_block.h"
#include "graphstore/neighbor_block.h"
#include "graphstore/types.h"

namespace slice {

// Makes blocks, one after the other, or one large block.
class NeighborBlockBuilder {
 public:
  // Appends the row of `node`, whose arcs these are.
  void Add(NodeId node, const ArcSpan& out, const ArcSpan& in);
  // Appends a row of another block.
  void Add(const NeighborBlock& block, size_t row);

  // The rows so far, in few or in many bytes. Call BuildLarge once; after Build
  // the builder begins anew.
  std::shared_ptr<const NeighborBlock> Build();
  std::shared_ptr<const NeighborBlock> BuildLarge();

 private:
  void AddNeighbor(std::span<const uint64_t> arcs);
  void EndRow(bool self_loop);

  std::unique_ptr<NeighborBlock::Arrays> arrays_ =
      std::make_unique<NeighborBlock::Arrays>();
  std::vector<uint64_t> sorted_;  // scratch memory of Add()
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NEIGHBOR_BLOCK_BUILDER_H_
