#include "trainer/methods/scored_method.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <utility>

#include "common/row_products.h"

namespace slice {
namespace {

// One row of `matrix` for each link: row_of(link) is its number.
template <typename RowOf>
at::Tensor RowsOf(const at::Tensor& matrix, std::span<const Link> links,
                  const RowOf& row_of) {
  at::Tensor index = at::empty({static_cast<int64_t>(links.size())}, at::kLong);
  auto* const rows = index.data_ptr<int64_t>();
  for (size_t i = 0; i < links.size(); ++i) rows[i] = row_of(links[i]);
  return matrix.index_select(0, index);
}

int64_t SourceOf(const Link& link) { return link.source; }
int64_t TargetOf(const Link& link) { return link.target; }
int64_t LabelOf(RelationId relation, Direction direction) {
  return 2 * int64_t{relation} + (direction == Direction::kOut ? 0 : 1);
}

}  // namespace

ScoredMethod::ScoredMethod(const at::Tensor& nodes, const at::Tensor& labels,
                           std::shared_ptr<const LinkScorer> scorer,
                           MethodSummary summary)
    : scorer_(std::move(scorer)) {
  const at::NoGradGuard no_grad;
  // Copies, because the caller may go on to train the tensors.
  nodes_ = nodes.detach().clone(at::MemoryFormat::Contiguous);
  labels_ = labels.detach().clone();
  answers_ = scorer_->Answers(nodes_).contiguous();
  summary_ = std::move(summary);
}

void ScoredMethod::Score(std::span<const Link> links,
                         std::span<const Link> /*made_from*/,
                         std::span<float> scores) const {
  const at::NoGradGuard no_grad;
  const auto score = [&](Direction direction, const auto& anchor,
                         const auto& answer) {
    const at::Tensor labels = RowsOf(labels_, links, [&](const Link& link) {
      return LabelOf(link.relation, direction);
    });
    const at::Tensor queries =
        scorer_->Queries(RowsOf(nodes_, links, anchor), labels, false);
    return (queries * RowsOf(answers_, links, answer)).sum(1);
  };
  const at::Tensor mean = (score(Direction::kOut, SourceOf, TargetOf) +
                           score(Direction::kIn, TargetOf, SourceOf)) /
                          2;
  std::copy_n(mean.const_data_ptr<float>(), scores.size(), scores.begin());
}

void ScoredMethod::ScoreCandidates(const EndQuestion& question,
                                   std::span<const NodeId> candidates,
                                   std::span<float> scores) const {
  const at::NoGradGuard no_grad;
  const at::Tensor query =
      scorer_
          ->Queries(nodes_.narrow(0, question.anchor, 1),
                    labels_.narrow(
                        0, LabelOf(question.relation, question.direction), 1),
                    false)
          .contiguous();
  MultiplyRows({query.const_data_ptr<float>(), answers_.const_data_ptr<float>(),
                static_cast<size_t>(answers_.size(1)), candidates.data(),
                candidates.size(), scores.data()});
}

NodeEmbeddings ScoredMethod::embeddings() const {
  return {{nodes_.const_data_ptr<float>(), static_cast<size_t>(nodes_.numel())},
          static_cast<size_t>(nodes_.size(1))};
}

}  // namespace slice
