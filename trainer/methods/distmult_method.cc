#include "trainer/methods/distmult_method.h"

#include "trainer/methods/row_kernels.h"

namespace slice {

std::vector<float> DistMultMethod::Query(NodeId node,
                                         RelationId relation) const {
  std::vector<float> query(dim_);
  const float* const of_node = values_.data() + node * dim_;
  const float* const of_relation = relations_.data() + relation * dim_;
  for (size_t k = 0; k < dim_; ++k) query[k] = of_node[k] * of_relation[k];
  return query;
}

void DistMultMethod::Score(std::span<const Link> links,
                           std::span<const Link> /*made_from*/,
                           std::span<float> scores) const {
  for (size_t i = 0; i < links.size(); ++i) {
    const std::vector<float> query = Query(links[i].source, links[i].relation);
    MultiplyRows(
        {query.data(), values_.data(), dim_, &links[i].target, 1, &scores[i]});
  }
}

void DistMultMethod::ScoreCandidates(const EndQuestion& question,
                                     std::span<const NodeId> candidates,
                                     std::span<float> scores) const {
  const std::vector<float> query = Query(question.anchor, question.relation);
  MultiplyRows({query.data(), values_.data(), dim_, candidates.data(),
                candidates.size(), scores.data()});
}

}  // namespace slice
