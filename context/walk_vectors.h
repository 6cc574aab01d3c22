// Walk features of a link: how often random walks visit its ends near each
// other, by vectors that skip-gram learned from such walks. Hiding a pair does
// not change the vectors, so training uses vectors that were learned without
// the fold of the link (docs/leakage.md).
#ifndef SLICE_CONTEXT_WALK_VECTORS_H_
#define SLICE_CONTEXT_WALK_VECTORS_H_

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/graph_view.h"
#include "graphstore/types.h"

namespace slice {

// Reads the vectors in place: their arrays must outlive the object. Immutable;
// thread-safe.
//
// Each node has an input vector i and an output vector o. The product <i_u,
// o_v> is high where walks visit v near u more often than by chance (Levy and
// Goldberg, NeurIPS 2014). These are the features of the link from u to v:
//   in_out      <i_u, o_v>
//   out_in      <o_u, i_v>
//   in_cosine   the cosine of i_u and i_v
//   out_cosine  the cosine of o_u and o_v
//
// Turning all vectors alike changes no feature. So the vectors of different
// graphs need not be aligned.
class WalkVectors {
 public:
  static constexpr size_t kFeatures = 4;
  // In the order above.
  static std::span<const std::string_view, kFeatures> FeatureNames();

  // Reads the arrays "walks.inputs" and "walks.outputs" [nodes, dim]. Returns
  // nullopt when the first is absent, NOT_FOUND when it is there and the second
  // is missing, and DATA_LOSS when the shapes do not agree.
  static absl::StatusOr<std::optional<WalkVectors>> FromStatistics(
      const GraphStatistics& statistics, size_t node_count);

  size_t dim() const { return dim_; }
  // Whether there are vectors of `node`; not of one that came after training.
  bool Has(NodeId node) const { return node < nodes_; }

  // The vectors of one node, each [dim].
  struct Rows {
    const float* input = nullptr;
    const float* output = nullptr;
  };
  // REQUIRES: Has(node).
  Rows RowsOf(NodeId node) const {
    return {inputs_.data() + node * dim_, outputs_.data() + node * dim_};
  }

  // One end of many links, the anchor.
  struct Anchor {
    Direction direction = Direction::kOut;  // kOut: the anchor is the source
    // Vectors to multiply with the input and output vectors of the other ends:
    // each [2, dim].
    std::vector<float> with_inputs, with_outputs;
    std::array<float, 2> squares = {};  // of the anchor: |i|^2, |o|^2
  };
  // Makes `node`, as `view` shows it, the anchor, as the source for kOut;
  // reuses the memory of `anchor`. A node without vectors has the mean of those
  // of its neighbours; of more than 512 of these, of a strided sample.
  void Prepare(const GraphView& view, NodeId node, Direction direction,
               Anchor& anchor) const;

  // Computes the features of the links between the anchor and each of `nodes`:
  // kFeatures floats from values[i * stride] on for nodes[i]; zeros for a node
  // without vectors. Fastest where the ids of `nodes` are consecutive.
  void ComputeEach(const Anchor& anchor, std::span<const NodeId> nodes,
                   float* values, size_t stride) const;

  // The features of one link, whose ends are as `view` shows them.
  void Compute(const GraphView& view, const Link& link,
               std::span<float, kFeatures> values) const;

 private:
  // The vectors of any node: input, then output, [2, dim].
  void CopyRows(const GraphView& view, NodeId node,
                std::vector<float>& rows) const;
  // Computes the features for `count` nodes, at most kStretch, whose rows
  // follow each other.
  void ComputeStretch(const Anchor& anchor, const Rows& first, size_t count,
                      float* values, size_t stride) const;

  size_t nodes_ = 0;
  size_t dim_ = 0;
  std::span<const float> inputs_, outputs_;  // [nodes, dim]
};

}  // namespace slice

#endif  // SLICE_CONTEXT_WALK_VECTORS_H_
