#include "graphstore/neighbor_rows.h"

#include <algorithm>

#include "graphstore/neighbor_block_builder.h"

namespace slice {

NeighborRows::NeighborRows(const ArcRows& out, const ArcRows& in,
                           size_t node_count) {
  NeighborBlockBuilder builder;
  for (NodeId node = 0; node < node_count; ++node)
    builder.Add(node, out.Arcs(node), in.Arcs(node));
  rows_ = RowTable<NeighborBlock>(builder.BuildLarge());
}

NeighborRows NeighborRows::With(std::span<const NodeId> nodes,
                                const ArcRows& out, const ArcRows& in,
                                size_t node_count) const {
  NeighborBlockBuilder builder;
  NeighborRows changed;
  changed.rows_ = rows_.With(
      nodes, node_count,
      [&](NodeId first, NodeId end, std::span<const NodeId> of_block) {
        for (NodeId node = first; node < end; ++node) {
          if (std::ranges::binary_search(of_block, node)) {
            builder.Add(node, out.Arcs(node), in.Arcs(node));
          } else {
            const auto [block, row] = rows_.Find(node);
            builder.Add(*block, row);
          }
        }
        return builder.Build();
      });
  return changed;
}

NeighborRows NeighborRows::OffBase(size_t node_count, size_t most_pages) const {
  NeighborBlockBuilder builder;
  NeighborRows moved;
  moved.rows_ =
      rows_.OffBase(node_count, most_pages,
                    [&](NodeId first, NodeId end, std::span<const NodeId>) {
                      for (NodeId node = first; node < end; ++node) {
                        const auto [block, row] = rows_.Find(node);
                        builder.Add(*block, row);
                      }
                      return builder.Build();
                    });
  return moved;
}

}  // namespace slice
