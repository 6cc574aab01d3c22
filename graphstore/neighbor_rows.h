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

// Rows of neighbours, one after the other. A neighbour takes 8 bytes. One with
// several relations takes 4 more bytes, and 4 for each relation.
class NeighborBlock {
 public:
  // Appends the row of `node`, whose arcs these are.
  void Append(NodeId node, const ArcSpan& out, const ArcSpan& in);
  // Call it once, after the last row.
  void Finish();

  std::span<const NodeId> Neighbors(size_t row) const {
    const uint64_t begin = row_start_[row];
    return {neighbors_.data() + begin, row_start_[row + 1] - begin};
  }
  void PrefetchStart(size_t row) const {
    __builtin_prefetch(row_start_.data() + row);
  }
  void Prefetch(size_t row) const {
    __builtin_prefetch(neighbors_.data() + row_start_[row]);
    __builtin_prefetch(neighbors_.data() + row_start_[row + 1] - 1);
  }
  void PrefetchRelations(size_t row, size_t position) const {
    __builtin_prefetch(codes_.data() + row_start_[row] + position);
  }
  std::span<const int32_t> Relations(size_t row, size_t position) const {
    const int32_t* code = &codes_[row_start_[row] + position];
    if (*code < kSeveral) return {code, 1};
    const int32_t* list =
        several_.data() + several_start_[row] + (*code - kSeveral);
    return {list + 1, static_cast<size_t>(*list)};
  }
  bool HasSelfLoop(size_t row) const { return self_loops_[row]; }

 private:
  // Codes from here on are positions in several_; signed relations are below.
  static constexpr int32_t kSeveral = 1 << 17;

  void AppendRow(std::span<const uint64_t> arcs);

  std::vector<uint64_t> row_start_ = {0};  // [rows + 1]
  std::vector<NodeId> neighbors_;          // of all rows
  // Parallel to neighbors_: the only signed relation of the neighbour, or
  // kSeveral plus the position of its list in the row's part of several_.
  std::vector<int32_t> codes_;
  // [rows], where the row's part of several_ begins.
  std::vector<uint64_t> several_start_;
  // A list for each neighbour with several relations: the number of relations,
  // then the signed relations.
  std::vector<int32_t> several_;
  std::vector<bool> self_loops_;  // [rows]
  std::vector<uint64_t> arcs_;    // scratch memory of Append()
};

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

 private:
  RowTable<NeighborBlock> rows_;
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NEIGHBOR_ROWS_H_
