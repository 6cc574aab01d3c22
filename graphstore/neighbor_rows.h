// The distinct neighbours of all nodes, as compressed sparse rows, each with
// the relations by which it is a neighbour.
#ifndef SLICE_GRAPHSTORE_NEIGHBOR_ROWS_H_
#define SLICE_GRAPHSTORE_NEIGHBOR_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graphstore/arc_rows.h"
#include "graphstore/neighbor_block.h"
#include "graphstore/types.h"

namespace slice {

// The position of `value` in an ascending list of distinct values, or nothing.
// The search has no branch per step, because no processor could predict it.
inline std::optional<size_t> FindSorted(std::span<const NodeId> sorted,
                                        NodeId value) {
  const NodeId* from = sorted.data();
  for (size_t left = sorted.size(); left > 1;) {
    const size_t half = left / 2;
    from += from[half - 1] < value ? half : 0;
    left -= half;
  }
  if (sorted.empty() || *from != value) return std::nullopt;
  return static_cast<size_t>(from - sorted.data());
}

// The rows of all nodes. Immutable; thread-safe.
class NeighborRows {
 public:
  NeighborRows() = default;
  // REQUIRES: `out` and `in` hold the same links, of `node_count` nodes.
  NeighborRows(const ArcRows& out, const ArcRows& in, size_t node_count);

  // The neighbours of a node over all relations and both directions, ascending,
  // without the node itself.
  std::span<const NodeId> Neighbors(NodeId node) const {
    const auto [block, row] = rows_.Find(node);
    return block->Neighbors(row);
  }

  // Fetch Neighbors(node) into the cache ahead of its use; of a long row only
  // the two ends. Prefetch reads what PrefetchStart fetches, so first call
  // PrefetchStart for several nodes, then Prefetch for each.
  void PrefetchStart(NodeId node) const {
    const auto [block, row] = rows_.Find(node);
    block->PrefetchStart(row);
  }
  void Prefetch(NodeId node) const {
    const auto [block, row] = rows_.Find(node);
    block->Prefetch(row);
  }

  // Fetches Relations(node, position) into the cache ahead of its use.
  void PrefetchRelations(NodeId node, size_t position) const {
    const auto [block, row] = rows_.Find(node);
    block->PrefetchRelations(row, position);
  }

  // The signed relations from `node` to its neighbour at `position`: all
  // outgoing ones, then all incoming ones, by relation. At least one.
  std::span<const int32_t> Relations(NodeId node, size_t position) const {
    const auto [block, row] = rows_.Find(node);
    return block->Relations(row, position);
  }

  bool HasSelfLoop(NodeId node) const {
    const auto [block, row] = rows_.Find(node);
    return block->HasSelfLoop(row);
  }

  // The rows after changes: `nodes`, which ascend, have the arcs of `out` and
  // `in` now.
  NeighborRows With(std::span<const NodeId> nodes, const ArcRows& out,
                    const ArcRows& in, size_t node_count) const;

  // See RowTable::OffBase.
  NeighborRows OffBase(size_t node_count, size_t most_pages) const;

 private:
  RowTable<NeighborBlock> rows_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NEIGHBOR_ROWS_H_
