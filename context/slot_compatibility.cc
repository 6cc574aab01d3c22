// Counts for each pair of slots how many nodes fill both, and derives from
// these counts how well a node fits a slot. The counts are those of the
// training graph. Compute() subtracts what the node itself added to them: 1
// from the entry of each two slots that it filled in the training graph. The
// served graph does not matter to this: a link that is added or removed later
// has not changed the counts.
#include "context/slot_compatibility.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "graphstore/graph_view.h"

namespace slice {
namespace {

constexpr char kArrayName[] = "slot_compatibility";
constexpr char kNodesName[] = "slot_compatibility.nodes";
constexpr float kLeastBaseRate = 1e-9f;

bool FillsNow(const GraphSnapshot& snapshot, NodeId node, uint32_t slot) {
  return !snapshot
              .Neighbors(node, static_cast<RelationId>(slot / 2),
                         slot % 2 == 0 ? Direction::kOut : Direction::kIn)
              .empty();
}

}  // namespace

std::span<const std::string_view, SlotCompatibility::kFeatures>
SlotCompatibility::FeatureNames() {
  static constexpr std::string_view kNames[kFeatures] = {
      "confidence_max", "confidence_mean", "lift_sum", "lift_mean", "slots"};
  return kNames;
}

std::optional<SlotCompatibility> SlotCompatibility::Build(
    const GraphSnapshot& snapshot) {
  SlotCompatibility table;
  table.slot_count_ = 2 * snapshot.relation_count();
  if (table.slot_count_ > kMaxSlots) return std::nullopt;
  table.node_count_ = static_cast<float>(snapshot.node_count());
  table.counts_.assign(table.slot_count_ * table.slot_count_, 0.0f);
  table.filled_ = FilledSlots::Build(snapshot);
  const GraphView view(snapshot);
  std::vector<SlotCount> slots;
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    CollectSlots(view, node, slots);
    for (const SlotCount& s : slots) {
      for (const SlotCount& t : slots) {
        ++table.counts_[size_t{s.slot} * table.slot_count_ + t.slot];
      }
    }
  }
  return table;
}

absl::StatusOr<std::optional<SlotCompatibility>>
SlotCompatibility::FromStatistics(const GraphStatistics& statistics,
                                  size_t slot_count) {
  const auto counts = statistics.Get(kArrayName);
  const auto nodes = statistics.Get(kNodesName);
  if (!counts.ok() || !nodes.ok()) return std::nullopt;
  if ((*counts)->values.size() != slot_count * slot_count ||
      (*nodes)->values.size() != 1) {
    return absl::DataLossError(absl::StrCat(
        kArrayName, " holds ", (*counts)->values.size(), " values, not ",
        slot_count, " x ", slot_count, ": train the bundle again"));
  }
  SlotCompatibility table;
  table.slot_count_ = slot_count;
  table.node_count_ = (*nodes)->values[0];
  table.counts_ = (*counts)->values;
  SLICE_ASSIGN_OR_RETURN(table.filled_,
                         FilledSlots::FromStatistics(statistics, slot_count));
  return table;
}

void SlotCompatibility::AddTo(GraphStatistics& statistics) const {
  const auto slots = static_cast<int64_t>(slot_count_);
  statistics.Set(kArrayName, {{slots, slots}, counts_});
  statistics.Set(kNodesName, {{1}, {node_count_}});
  if (filled_) filled_->AddTo(statistics);
}

void SlotCompatibility::Compute(const GraphSnapshot& snapshot, NodeId node,
                                uint32_t slot, std::span<const SlotCount> slots,
                                std::span<float, kFeatures> values) const {
  std::fill(values.begin(), values.end(), 0.0f);
  const auto filled = [&](uint32_t at) {
    return filled_ ? filled_->Contains(node, at) : FillsNow(snapshot, node, at);
  };
  // A table without filled_ may lack a node that fills the slots since later.
  const auto without = [](float count, bool counts_node) {
    return std::max(count - static_cast<float>(counts_node), 0.0f);
  };
  const bool filled_slot = filled(slot);
  const float base = std::max(
      without(at(slot, slot), filled_slot) / std::max(node_count_ - 1, 1.0f),
      kLeastBaseRate);
  float highest = 0, sum = 0, lift_sum = 0;
  float product = 1;  // of confidence / base; its logarithm is taken rarely
  int count = 0;
  for (const SlotCount& other : slots) {
    if (other.slot == slot) continue;
    const bool filled_other = filled(other.slot);
    const float both =
        without(at(other.slot, slot), filled_other && filled_slot);
    const float all = without(at(other.slot, other.slot), filled_other);
    const float confidence = (both + base) / (all + 1);
    highest = std::max(highest, confidence);
    sum += confidence;
    product *= confidence / base;
    if (product > 1e15f || product < 1e-15f) {
      lift_sum += std::log(product);
      product = 1;
    }
    ++count;
  }
  if (count == 0) return;
  lift_sum += std::log(product);
  const auto n = static_cast<float>(count);
  values[0] = highest;
  values[1] = sum / n;
  values[2] = lift_sum;
  values[3] = lift_sum / n;
  values[4] = std::log1p(n);
}

}  // namespace slice
