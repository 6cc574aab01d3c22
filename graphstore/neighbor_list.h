// The neighbours of one node that a GraphView shows.
#ifndef SLICE_GRAPHSTORE_NEIGHBOR_LIST_H_
#define SLICE_GRAPHSTORE_NEIGHBOR_LIST_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "graphstore/types.h"

namespace slice {

// The visible distinct neighbours of one node, ascending. operator[] reads them
// in place, so that a sample of a hub's neighbours copies nothing and visits no
// others. Valid as long as the snapshot lives.
class NeighborList {
 public:
  using HiddenPositions = absl::InlinedVector<uint32_t, 4>;

  // `all` is ascending. `hidden_positions` are positions in it, ascending.
  NeighborList(std::span<const NodeId> all, HiddenPositions hidden_positions)
      : all_(all), hidden_(std::move(hidden_positions)) {}

  size_t size() const { return all_.size() - hidden_.size(); }
  bool empty() const { return size() == 0; }

  // The i-th visible neighbour. O(1) when nothing is hidden, else O(log
  // hidden).
  NodeId operator[](size_t i) const {
    return hidden_.empty() ? all_[i] : VisibleAt(i);
  }

  bool Contains(NodeId node) const;

  // All neighbours as one row if none of them is hidden; otherwise empty.
  std::span<const NodeId> WholeRow() const {
    return hidden_.empty() ? all_ : std::span<const NodeId>();
  }
  // The positions of the hidden neighbours in the node's row of the snapshot,
  // ascending.
  const HiddenPositions& hidden_positions() const { return hidden_; }

  // Calls visit(NodeId) for each visible neighbour, ascending.
  template <typename Visit>
  void ForEach(Visit visit) const {
    if (hidden_.empty()) {
      for (const NodeId node : all_) visit(node);
      return;
    }
    size_t next = 0;
    for (uint32_t position = 0; position < all_.size(); ++position) {
      if (next < hidden_.size() && hidden_[next] == position) {
        ++next;
      } else {
        visit(all_[position]);
      }
    }
  }

 private:
  NodeId VisibleAt(size_t i) const;

  std::span<const NodeId> all_;
  HiddenPositions hidden_;  // empty for almost every node
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_NEIGHBOR_LIST_H_
