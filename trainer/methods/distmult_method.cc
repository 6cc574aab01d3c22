#include "trainer/methods/distmult_method.h"

#include "common/vector_variants.h"

namespace slice {
namespace {

SLICE_VECTOR_LOOP void DotAllBody(const float* query, const float* table,
                                  size_t dim, std::span<const NodeId> nodes,
                                  float* scores) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    const float* const row = table + nodes[i] * dim;
    float sum = 0;
    for (size_t k = 0; k < dim; ++k) sum += query[k] * row[k];
    scores[i] = sum;
  }
}

SLICE_VECTOR_VARIANTS(DotAll, DotAllBody,
                      (const float* query, const float* table, size_t dim,
                       std::span<const NodeId> nodes, float* scores),
                      (query, table, dim, nodes, scores))

}  // namespace

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
    DotAll(query.data(), values_.data(), dim_, {&links[i].target, 1},
           &scores[i]);
  }
}

void DistMultMethod::ScoreCandidates(const EndQuestion& question,
                                     std::span<const NodeId> candidates,
                                     std::span<float> scores) const {
  const std::vector<float> query = Query(question.anchor, question.relation);
  DotAll(query.data(), values_.data(), dim_, candidates, scores.data());
}

}  // namespace slice
