#include "trainer/methods/link_losses.h"

#include <ATen/ATen.h>

#include <limits>

#include "absl/container/flat_hash_map.h"

namespace slice {

torch::Tensor BalancedCrossEntropy(const torch::Tensor& scores,
                                   int64_t positives) {
  const int64_t negatives = scores.size(0) - positives;
  const torch::Tensor of_links =
      at::softplus(-scores.narrow(0, 0, positives)).mean();
  if (negatives == 0) return of_links;
  return of_links + at::softplus(scores.narrow(0, positives, negatives)).mean();
}

torch::Tensor KnownAnswers(const GraphSnapshot& snapshot,
                           std::span<const Link> positives,
                           std::span<const NodeId> candidates,
                           Direction asked) {
  absl::flat_hash_map<NodeId, size_t> column;
  for (size_t i = 0; i < candidates.size(); ++i) column[candidates[i]] = i;
  torch::Tensor known = torch::zeros({static_cast<int64_t>(positives.size()),
                                      static_cast<int64_t>(candidates.size())},
                                     torch::kBool);
  bool* const flags = known.data_ptr<bool>();
  for (size_t i = 0; i < positives.size(); ++i) {
    const Link& link = positives[i];
    const NodeId anchor = asked == Direction::kOut ? link.source : link.target;
    for (const NodeId node : snapshot.Neighbors(anchor, link.relation, asked)) {
      const auto found = column.find(node);
      if (found != column.end()) {
        flags[i * candidates.size() + found->second] = true;
      }
    }
  }
  return known;
}

torch::Tensor CandidateSoftmax(const torch::Tensor& queries,
                               const torch::Tensor& candidates,
                               const torch::Tensor& answers,
                               const torch::Tensor& known) {
  const torch::Tensor scores =
      torch::mm(queries, candidates.t())
          .masked_fill(known, -std::numeric_limits<float>::infinity());
  const torch::Tensor own = answers.unsqueeze(1);
  return (at::logsumexp(torch::cat({own, scores}, 1), {1}) - answers).mean();
}

}  // namespace slice
