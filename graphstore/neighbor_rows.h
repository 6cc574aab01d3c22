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

// Immutable; thread-safe. A neighbour takes 8 bytes. One with several relations
// takes 4 more bytes, and 4 for each relation.
class NeighborRows {
 public:
  NeighborRows() = default;
  // REQUIRES: `out` and `in` hold the same links, of `node_count` nodes.
  NeighborRows(const ArcRows& out, const ArcRows& in, size_t node_count);

  // The neighbours of a node over all relations and both directions, ascending,
  // without the node itself.
  std::span<const NodeId> Neighbors(NodeId node) const {
    const uint64_t begin = row_start_[node];
    return {neighbors_.data() + begin, row_start_[node + 1] - begin};
  }

  // Fetch Neighbors(node) into the cache ahead of its use; of a long row only
  // the two ends. Prefetch reads what PrefetchStart fetches, so first call
  // PrefetchStart for several nodes, then Prefetch for each.
  void PrefetchStart(NodeId node) const {
    __builtin_prefetch(row_start_.data() + node);
  }
  void Prefetch(NodeId node) const {
    __builtin_prefetch(neighbors_.data() + row_start_[node]);
    __builtin_prefetch(neighbors_.data() + row_start_[node + 1] - 1);
  }

  // Fetches Relations(node, position) into the cache ahead of its use.
  void PrefetchRelations(NodeId node, size_t position) const {
    __builtin_prefetch(codes_.data() + row_start_[node] + position);
  }

  // The signed relations from `node` to its neighbour at `position`: all
  // outgoing ones, then all incoming ones, by relation. At least one.
  std::span<const int32_t> Relations(NodeId node, size_t position) const {
    const int32_t* code = &codes_[row_start_[node] + position];
    if (*code < kSeveral) return {code, 1};
    const int32_t* list =
        several_.data() + several_start_[node] + (*code - kSeveral);
    return {list + 1, static_cast<size_t>(*list)};
  }

  bool HasSelfLoop(NodeId node) const {
    return (self_loops_[node / 64] >> (node % 64)) & 1;
  }

 private:
  // Codes from here on are positions in several_; signed relations are below.
  static constexpr int32_t kSeveral = 1 << 17;

  void AppendRow(std::span<const uint64_t> arcs);

  std::vector<uint64_t> row_start_ = {0};  // [nodes + 1]
  std::vector<NodeId> neighbors_;          // of all nodes
  // Parallel to neighbors_: the only signed relation of the neighbour, or
  // kSeveral plus the position of its list in the node's part of several_.
  std::vector<int32_t> codes_;
  // [nodes], where the node's part of several_ begins.
  std::vector<uint64_t> several_start_;
  // A list for each neighbour with several relations: the number of relations,
  // then the signed relations.
  std::vector<int32_t> several_;
  std::vector<uint64_t> self_loops_;  // a bit per node
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NEIGHBOR_ROWS_H_
