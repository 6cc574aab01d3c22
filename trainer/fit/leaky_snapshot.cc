#include "trainer/fit/leaky_snapshot.h"

namespace slice {

absl::StatusOr<std::shared_ptr<const GraphSnapshot>> BuildLeakySnapshot(
    const ImportedGraph& imported) {
  GraphData data = imported.data;
  for (const auto& split : imported.held_out) {
    for (const LabelledLink& example : split) {
      if (!example.positive) continue;
      data.links.push_back(example.link);
      if (!data.weights.empty()) data.weights.push_back(1);
    }
  }
  return GraphSnapshot::Build(data);
}

}  // namespace slice
