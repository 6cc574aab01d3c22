// Slots are ranked by the number of nodes that fill them. A table of ranks then
// gets a mark for each pair of slots that some node fills both; pairs that are
// expected but not marked shut each other out.
#include "graphstore/slot_exclusions.h"

#include <algorithm>
#include <span>

namespace slice {
namespace {

struct FilledSlot {
  GraphSlot slot;
  uint64_t nodes = 0;
};

using RowsByPlace = std::array<const ArcRows*, 2>;

// Calls visit(GraphSlot) for each slot that the node fills.
template <typename Visit>
void ForEachSlotOf(const RowsByPlace& rows, NodeId node, Visit visit) {
  for (const Direction place : {Direction::kOut, Direction::kIn}) {
    rows[static_cast<size_t>(place)]->ForEachSlot(
        node, [&](RelationId relation, std::span<const NodeId>) {
          visit(GraphSlot{relation, place});
        });
  }
}

// The slots by the number of their nodes, the most filled first. Sets `linked`
// to the number of nodes that fill any.
std::vector<FilledSlot> CountSlots(const RowsByPlace& rows, size_t node_count,
                                   size_t relation_count, uint64_t& linked) {
  std::vector<FilledSlot> slots(2 * relation_count);
  linked = 0;
  for (size_t i = 0; i < slots.size(); ++i) {
    slots[i].slot = {static_cast<RelationId>(i / 2),
                     static_cast<Direction>(i % 2)};
  }
  for (NodeId node = 0; node < node_count; ++node) {
    bool any = false;
    ForEachSlotOf(rows, node, [&](GraphSlot slot) {
      any = true;
      ++slots[2 * size_t{slot.relation} + static_cast<size_t>(slot.place)]
            .nodes;
    });
    linked += any ? 1 : 0;
  }
  std::stable_sort(slots.begin(), slots.end(),
                   [](const FilledSlot& a, const FilledSlot& b) {
                     return a.nodes > b.nodes;
                   });
  return slots;
}

// How many of `slots` may be shut out by the most filled one; fewer nodes fill
// the others.
size_t CountExpected(std::span<const FilledSlot> slots, uint64_t linked) {
  const auto expected = [&](const FilledSlot& slot) {
    return static_cast<double>(slots[0].nodes) *
               static_cast<double>(slot.nodes) >=
           SlotExclusions::kExpected * static_cast<double>(linked);
  };
  const auto end = std::partition_point(slots.begin(), slots.end(), expected);
  return std::min(static_cast<size_t>(end - slots.begin()),
                  SlotExclusions::kMostSlots);
}

}  // namespace

SlotExclusions::SlotExclusions(const ArcRows& out, const ArcRows& in,
                               size_t node_count, size_t relation_count) {
  const RowsByPlace rows = {&out, &in};
  uint64_t linked = 0;
  const std::vector<FilledSlot> slots =
      CountSlots(rows, node_count, relation_count, linked);
  if (linked == 0) return;
  width_ = CountExpected(slots, linked);
  ranks_.fill(std::vector<uint32_t>(relation_count, kNoRank));
  for (size_t rank = 0; rank < width_; ++rank) {
    const GraphSlot slot = slots[rank].slot;
    ranks_[static_cast<size_t>(slot.place)][slot.relation] =
        static_cast<uint32_t>(rank);
  }
  std::vector<bool> met(width_ * width_, false);
  std::vector<uint32_t> of_node;
  for (NodeId node = 0; node < node_count; ++node) {
    of_node.clear();
    ForEachSlotOf(rows, node, [&](GraphSlot slot) {
      if (RankOf(slot) != kNoRank) of_node.push_back(RankOf(slot));
    });
    for (const uint32_t a : of_node) {
      for (const uint32_t b : of_node) met[a * width_ + b] = true;
    }
  }
  is_excluded_.resize(width_ * width_, false);
  bool any = false;
  for (size_t a = 0; a < width_; ++a) {
    for (size_t b = 0; b < width_; ++b) {
      const double expected = static_cast<double>(slots[a].nodes) *
                              static_cast<double>(slots[b].nodes) /
                              static_cast<double>(linked);
      const bool excluded = expected >= kExpected && !met[a * width_ + b];
      is_excluded_[a * width_ + b] = excluded;
      any |= excluded;
    }
  }
  if (!any) *this = SlotExclusions();
}

bool SlotExclusions::Exclude(GraphSlot a, GraphSlot b) const {
  if (empty()) return false;
  const uint32_t row = RankOf(a), column = RankOf(b);
  return row != kNoRank && column != kNoRank &&
         is_excluded_[row * width_ + column];
}

}  // namespace slice
