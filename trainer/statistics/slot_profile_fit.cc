#include "trainer/statistics/slot_profile_fit.h"

#include <ATen/TensorAccessor.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "context/node_slots.h"
#include "graphstore/graph_view.h"
#include "model/torch/torch_status.h"

namespace slice {

absl::StatusOr<SlotProfile> FitSlotProfile(const GraphSnapshot& graph) {
  const auto slots = static_cast<int64_t>(2 * graph.relation_count());
  at::Tensor gram = at::zeros({slots, slots}, at::kDouble);
  const GraphView view(graph);
  std::vector<SlotCount> counts;
  std::vector<double> logs;  // of the counts
  auto cell = gram.accessor<double, 2>();
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    CollectSlots(view, node, counts);
    logs.clear();
    for (const SlotCount& slot : counts) logs.push_back(std::log1p(slot.count));
    for (size_t a = 0; a < counts.size(); ++a) {
      for (size_t b = 0; b < counts.size(); ++b) {
        cell[counts[a].slot][counts[b].slot] += logs[a] * logs[b];
      }
    }
  }
  return CatchTorchErrors([&]() -> absl::StatusOr<SlotProfile> {
    const auto [values, vectors] = at::linalg_eigh(gram);
    std::vector<float> basis(slots * kProfileDim, 0.0f);
    const auto value = values.accessor<double, 1>();
    const auto vector = vectors.accessor<double, 2>();
    const auto nodes = static_cast<double>(graph.node_count());
    for (int64_t k = 0; k < std::min<int64_t>(slots, kProfileDim); ++k) {
      const int64_t at = slots - 1 - k;  // eigenvalues ascend
      if (value[at] < 1e-9 * value[slots - 1]) break;
      const double scale = std::sqrt(nodes / value[at]);
      for (int64_t slot = 0; slot < slots; ++slot) {
        basis[slot * kProfileDim + k] =
            static_cast<float>(scale * vector[slot][at]);
      }
    }
    return SlotProfile(std::move(basis), static_cast<size_t>(slots));
  });
}

}  // namespace slice
