#include "trainer/methods/messages/link_losses.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/zeros.h>

#include <limits>

#include "absl/container/flat_hash_map.h"

namespace slice {

at::Tensor BalancedCrossEntropy(const at::Tensor& scores, int64_t positives) {
  const int64_t negatives = scores.size(0) - positives;
  const at::Tensor of_links =
      at::softplus(-scores.narrow(0, 0, positives)).mean();
  if (negatives == 0) return of_links;
  return of_links + at::softplus(scores.narrow(0, positives, negatives)).mean();
}

at::Tensor KnownAnswers(const GraphSnapshot& snapshot,
                        std::span<const Link> positives,
                        std::span<const NodeId> candidates,
                        Direction direction) {
  absl::flat_hash_map<NodeId, size_t> column;
  for (size_t i = 0; i < candidates.size(); ++i) column[candidates[i]] = i;
  at::Tensor known = at::zeros({static_cast<int64_t>(positives.size()),
                                static_cast<int64_t>(candidates.size())},
                               at::kBool);
  bool* const flags = known.data_ptr<bool>();
  for (size_t i = 0; i < positives.size(); ++i) {
    const Link& link = positives[i];
    const NodeId anchor =
        direction == Direction::kOut ? link.source : link.target;
    for (const NodeId node :
         snapshot.Neighbors(anchor, link.relation, direction)) {
      const auto found = column.find(node);
      if (found != column.end()) {
        flags[i * candidates.size() + found->second] = true;
      }
    }
  }
  return known;
}

at::Tensor CandidateSoftmax(const at::Tensor& queries,
                            const at::Tensor& candidates,
                            const at::Tensor& answers,
                            const at::Tensor& known) {
  const at::Tensor scores =
      at::mm(queries, candidates.t())
          .masked_fill(known, -std::numeric_limits<float>::infinity());
  const at::Tensor own = answers.unsqueeze(1);
  return (at::logsumexp(at::cat({own, scores}, 1), {1}) - answers).mean();
}

}  // namespace slice
