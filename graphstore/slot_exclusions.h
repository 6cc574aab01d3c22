// Which slots shut each other out. A slot is a place of a relation; a node that
// has a link of the relation there fills the slot. In a graph without node
// types the slots of a node tell its kind: who is the source of `born in` never
// is the target of `capital of`.
#ifndef SLICE_GRAPHSTORE_SLOT_EXCLUSIONS_H_
#define SLICE_GRAPHSTORE_SLOT_EXCLUSIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "graphstore/arc_rows.h"
#include "graphstore/types.h"

namespace slice {

// A place is named by the direction in which a link leads from the node there:
// kOut is the place of the source, kIn that of the target.
struct GraphSlot {
  RelationId relation = 0;
  Direction place = Direction::kOut;

  auto operator<=>(const GraphSlot&) const = default;
};

// Immutable; thread-safe.
//
// Two slots shut each other out when no node fills both although, if slots were
// filled independently, at least kExpected nodes would: the slots are filled by
// a and b of n nodes, and a b / n >= kExpected. By chance alone that happens
// once in e^7, about 1,100 cases.
class SlotExclusions {
 public:
  static constexpr double kExpected = 7;
  // Of more slots than this, only the most filled ones count. So the table has
  // at most half a megabyte.
  static constexpr size_t kMostSlots = 2048;

  // Nothing is shut out.
  SlotExclusions() = default;
  // O(sum of the squared numbers of slots of the nodes). `out` and `in` are the
  // rows of all nodes.
  SlotExclusions(const ArcRows& out, const ArcRows& in, size_t node_count,
                 size_t relation_count);

  // Whether no pair of slots shuts each other out.
  bool empty() const { return width_ == 0; }
  bool Exclude(GraphSlot a, GraphSlot b) const;

 private:
  static constexpr uint32_t kNoRank = UINT32_MAX;

  uint32_t RankOf(GraphSlot slot) const {
    return ranks_[static_cast<int>(slot.place)][slot.relation];
  }

  // By place and relation: the row of the slot, or kNoRank.
  std::array<std::vector<uint32_t>, 2> ranks_;
  size_t width_ = 0;               // rows and columns
  std::vector<bool> is_excluded_;  // [width_, width_]
};

}  // namespace slice

#endif  // SLICE_GRAPHSTORE_SLOT_EXCLUSIONS_H_
