// Says whether a node looks like one that fills a slot, judged by the other
// slots that it fills.
#ifndef SLICE_CONTEXT_SLOT_COMPATIBILITY_H_
#define SLICE_CONTEXT_SLOT_COMPATIBILITY_H_

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "context/filled_slots.h"
#include "context/node_slots.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/types.h"

namespace slice {

// C[s, t] = how many nodes fill both slot s and slot t; C[t, t] = how many fill
// t. Immutable; thread-safe.
class SlotCompatibility {
 public:
  static constexpr size_t kMaxSlots = 2048;  // the dense table then has 16 MiB
  static constexpr size_t kFeatures = 5;
  // "confidence_max", "confidence_mean", "lift_sum", "lift_mean", "slots".
  static std::span<const std::string_view, kFeatures> FeatureNames();

  // Nothing when the graph has more than kMaxSlots slots.
  static std::optional<SlotCompatibility> Build(const GraphSnapshot& snapshot);

  // Reads what a bundle stores: C under "slot_compatibility", [slots, slots],
  // and the number of nodes under "slot_compatibility.nodes", [1]. Returns
  // nullopt when either is absent. DATA_LOSS when the shape does not suit
  // `slot_count`.
  static absl::StatusOr<std::optional<SlotCompatibility>> FromStatistics(
      const GraphStatistics& statistics, size_t slot_count);
  void AddTo(GraphStatistics& statistics) const;

  // Computes how well `node` fits slot t = `slot`. `slots` are the slots that
  // the node fills in the view at hand; below, s is each of them other than t.
  // C does not count the node itself, so that its hidden links stay hidden.
  // `snapshot` says which slots the node filled in the training graph, in
  // tables that lack FilledSlots. The features:
  //   confidence  (C[s, t] + p) / (C[s, s] + 1) with p = C[t, t] / nodes; the
  //               maximum and the mean over s
  //   lift        log(confidence / p); the sum and the mean over s
  //   slots       log1p of the number of s
  // All are 0 when there is no s.
  void Compute(const GraphSnapshot& snapshot, NodeId node, uint32_t slot,
               std::span<const SlotCount> slots,
               std::span<float, kFeatures> values) const;

 private:
  float at(uint32_t s, uint32_t t) const {
    return counts_[size_t{s} * slot_count_ + t];
  }

  size_t slot_count_ = 0;
  float node_count_ = 0;
  std::vector<float> counts_;          // [slots, slots]
  std::optional<FilledSlots> filled_;  // nothing in bundles of version 0.1
};

}  // namespace slice

#endif  // SLICE_CONTEXT_SLOT_COMPATIBILITY_H_
