#include "context/filled_slots.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "context/node_slots.h"
#include "graphstore/graph_view.h"

namespace slice {
namespace {

constexpr char kCountsName[] = "filled_slots.counts";
constexpr char kSlotsName[] = "filled_slots.slots";

absl::Status Unsuitable(size_t counted, size_t stored) {
  return absl::DataLossError(absl::StrCat(
      kCountsName, " counts ", counted, " slots and ", kSlotsName, " holds ",
      stored, ", or one of them is no slot: train the bundle again"));
}

}  // namespace

FilledSlots FilledSlots::Build(const GraphSnapshot& snapshot) {
  FilledSlots filled;
  const GraphView view(snapshot);
  std::vector<SlotCount> slots;
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    CollectSlots(view, node, slots);
    std::ranges::sort(slots, {}, &SlotCount::slot);
    for (const SlotCount& one : slots) {
      filled.slots_.push_back(static_cast<uint16_t>(one.slot));
    }
    filled.begins_.push_back(filled.slots_.size());
  }
  return filled;
}

absl::StatusOr<std::optional<FilledSlots>> FilledSlots::FromStatistics(
    const GraphStatistics& statistics, size_t slot_count) {
  const auto counts = statistics.Get(kCountsName);
  const auto slots = statistics.Get(kSlotsName);
  if (!counts.ok() || !slots.ok()) return std::nullopt;
  FilledSlots filled;
  for (const float count : (*counts)->values) {
    if (!(count >= 0 && count <= static_cast<float>(slot_count))) {
      return Unsuitable(filled.begins_.back(), (*slots)->values.size());
    }
    filled.begins_.push_back(filled.begins_.back() +
                             static_cast<uint64_t>(count));
  }
  for (const float slot : (*slots)->values) {
    if (!(slot >= 0 && slot < static_cast<float>(slot_count))) {
      return Unsuitable(filled.begins_.back(), (*slots)->values.size());
    }
    filled.slots_.push_back(static_cast<uint16_t>(slot));
  }
  if (filled.begins_.back() != filled.slots_.size()) {
    return Unsuitable(filled.begins_.back(), filled.slots_.size());
  }
  return filled;
}

void FilledSlots::AddTo(GraphStatistics& statistics) const {
  std::vector<float> counts;
  for (size_t node = 0; node + 1 < begins_.size(); ++node) {
    counts.push_back(static_cast<float>(begins_[node + 1] - begins_[node]));
  }
  const auto nodes = static_cast<int64_t>(counts.size());
  statistics.Set(kCountsName, {{nodes}, std::move(counts)});
  statistics.Set(kSlotsName, {{static_cast<int64_t>(slots_.size())},
                              {slots_.begin(), slots_.end()}});
}

bool FilledSlots::Contains(NodeId node, uint32_t slot) const {
  const size_t row = node;
  if (row + 1 >= begins_.size()) return false;
  return std::binary_search(slots_.data() + begins_[row],
                            slots_.data() + begins_[row + 1], slot);
}

}  // namespace slice
