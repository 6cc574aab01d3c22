// Which slots each node filled in the training graph.
#ifndef SLICE_CONTEXT_FILLED_SLOTS_H_
#define SLICE_CONTEXT_FILLED_SLOTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/types.h"

namespace slice {

// Immutable; thread-safe.
class FilledSlots {
 public:
  // REQUIRES: the slots are fewer than 2^16.
  static FilledSlots Build(const GraphSnapshot& snapshot);

  // Reads what a bundle stores: how many slots each node fills under
  // "filled_slots.counts", [nodes], and these slots, ascending by node, under
  // "filled_slots.slots", [their sum]. Returns nullopt when either is absent,
  // as in bundles of version 0.1. DATA_LOSS when they do not suit each other
  // or `slot_count`.
  static absl::StatusOr<std::optional<FilledSlots>> FromStatistics(
      const GraphStatistics& statistics, size_t slot_count);
  void AddTo(GraphStatistics& statistics) const;

  // False for nodes that came after training.
  bool Contains(NodeId node, uint32_t slot) const;

 private:
  std::vector<uint64_t> begins_ = {0};  // [nodes + 1], positions in slots_
  std::vector<uint16_t> slots_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_FILLED_SLOTS_H_
