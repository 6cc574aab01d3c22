#include "context/walk_vectors.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "context/neighbor_sample.h"
#include "context/node_stretches.h"
#include "context/vector_products.h"

namespace slice {
namespace {

constexpr size_t kMostNeighbors = 512;

}  // namespace

std::span<const std::string_view, WalkVectors::kFeatures>
WalkVectors::FeatureNames() {
  static constexpr std::string_view kNames[kFeatures] = {
      "in_out", "out_in", "in_cosine", "out_cosine"};
  return kNames;
}

absl::StatusOr<std::optional<WalkVectors>> WalkVectors::FromStatistics(
    const GraphStatistics& statistics, size_t node_count) {
  const auto inputs = statistics.Get("walks.inputs");
  if (!inputs.ok()) return std::nullopt;
  SLICE_ASSIGN_OR_RETURN(const NamedArray* outputs,
                         statistics.Get("walks.outputs"));
  const size_t size = (*inputs)->values.size();
  if (node_count == 0 || size == 0 || size % node_count != 0 ||
      outputs->values.size() != size) {
    return absl::DataLossError(absl::StrCat(
        "walks.inputs holds ", size, " values and walks.outputs ",
        outputs->values.size(), ", which is not one row for each of ",
        node_count, " nodes: train the bundle again"));
  }
  WalkVectors vectors;
  vectors.nodes_ = node_count;
  vectors.dim_ = size / node_count;
  vectors.inputs_ = (*inputs)->values;
  vectors.outputs_ = outputs->values;
  return vectors;
}

void WalkVectors::CopyRows(const GraphView& view, NodeId node,
                           std::vector<float>& rows) const {
  rows.assign(2 * dim_, 0.0f);
  const auto add = [&](NodeId from) {
    const Rows of = RowsOf(from);
    for (size_t k = 0; k < dim_; ++k) {
      rows[k] += of.input[k];
      rows[dim_ + k] += of.output[k];
    }
  };
  if (Has(node)) return add(node);
  float count = 0;
  ForEachSampled(view.Neighbors(node), kMostNeighbors, [&](NodeId neighbor) {
    if (!Has(neighbor)) return;
    add(neighbor);
    ++count;
  });
  for (float& value : rows) value /= std::max(1.0f, count);
}

void WalkVectors::Prepare(const GraphView& view, NodeId node,
                          Direction direction, Anchor& anchor) const {
  anchor.direction = direction;
  CopyRows(view, node, anchor.with_outputs);
  const auto input = anchor.with_outputs.begin();
  const auto output = input + static_cast<std::ptrdiff_t>(dim_);
  anchor.with_inputs.assign(output, anchor.with_outputs.end());
  anchor.with_inputs.insert(anchor.with_inputs.end(), input, output);
  anchor.squares = {};
  for (size_t k = 0; k < dim_; ++k) {
    anchor.squares[0] += anchor.with_outputs[k] * anchor.with_outputs[k];
    anchor.squares[1] += anchor.with_inputs[k] * anchor.with_inputs[k];
  }
}

void WalkVectors::ComputeStretch(const Anchor& anchor, const Rows& first,
                                 size_t count, float* values,
                                 size_t stride) const {
  // Products with the anchor's other vector, with the same one, and squares.
  float of_inputs[kStretch][3], of_outputs[kStretch][3];
  TwoProducts(first.input, count, dim_, anchor.with_inputs.data(),
              of_inputs[0]);
  TwoProducts(first.output, count, dim_, anchor.with_outputs.data(),
              of_outputs[0]);
  const bool turned = anchor.direction == Direction::kIn;
  for (size_t i = 0; i < count; ++i) {
    float* const to = values + i * stride;
    to[turned ? 1 : 0] = of_outputs[i][0];
    to[turned ? 0 : 1] = of_inputs[i][0];
    to[2] = OverRoot(of_inputs[i][1], anchor.squares[0] * of_inputs[i][2]);
    to[3] = OverRoot(of_outputs[i][1], anchor.squares[1] * of_outputs[i][2]);
  }
}

void WalkVectors::ComputeEach(const Anchor& anchor,
                              std::span<const NodeId> nodes, float* values,
                              size_t stride) const {
  ForEachStretch(
      nodes, nodes_,
      [&](size_t begin, size_t count) {
        ComputeStretch(anchor, RowsOf(nodes[begin]), count,
                       values + begin * stride, stride);
      },
      [&](size_t i) { std::fill_n(values + i * stride, kFeatures, 0.0f); });
}

void WalkVectors::Compute(const GraphView& view, const Link& link,
                          std::span<float, kFeatures> values) const {
  thread_local Anchor anchor;  // their memory is reused
  thread_local std::vector<float> target;
  Prepare(view, link.source, Direction::kOut, anchor);
  CopyRows(view, link.target, target);
  ComputeStretch(anchor, {target.data(), target.data() + dim_}, 1,
                 values.data(), kFeatures);
}

}  // namespace slice
