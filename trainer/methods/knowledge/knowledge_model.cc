#include "trainer/methods/knowledge/knowledge_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "common/row_products.h"

namespace slice {
namespace {

float SquaredNorm(std::span<const float> row) {
  return std::inner_product(row.begin(), row.end(), row.begin(), 0.0f);
}

}  // namespace

KnowledgeModel::KnowledgeModel(const KnowledgeTables& tables,
                               MethodSummary summary)
    : tables_(tables) {
  summary_ = std::move(summary);
  const size_t nodes = tables_.node_count();
  embeddings_.reserve(nodes * tables_.dim);
  for (size_t i = 0; i < nodes; ++i) {
    const auto node = static_cast<NodeId>(i);
    const std::span<const float> row = tables_.Entity(node);
    embeddings_.insert(embeddings_.end(), row.begin(), row.end());
    if (IsProduct(tables_.form)) continue;
    offsets_.push_back(tables_.AnswerBias(node) - SquaredNorm(row));
  }
}

void KnowledgeModel::ScoreCandidates(const EndQuestion& question,
                                     std::span<const NodeId> candidates,
                                     std::span<float> scores) const {
  std::vector<float> point(tables_.dim);
  tables_.Query(question, point);
  MultiplyRows({point.data(), embeddings_.data(), tables_.dim,
                candidates.data(), candidates.size(), scores.data()});
  if (IsProduct(tables_.form)) return;
  // Turns the product <q, t> into -|q - t|^2 plus the biases.
  const float offset = tables_.AnchorBias(question.anchor) - SquaredNorm(point);
  for (size_t i = 0; i < candidates.size(); ++i) {
    scores[i] = 2 * scores[i] + offsets_[candidates[i]] + offset;
  }
  if (tables_.form != KnowledgeForm::kTranslation) return;
  for (float& score : scores) score = -std::sqrt(std::max(-score, 0.0f));
}

void KnowledgeModel::Score(std::span<const Link> links,
                           std::span<const Link> /*made_from*/,
                           std::span<float> scores) const {
  for (size_t i = 0; i < links.size(); ++i) {
    const auto& [source, relation, target] = links[i];
    float out = 0, in = 0;
    ScoreCandidates({source, relation, Direction::kOut}, {&target, 1},
                    {&out, 1});
    ScoreCandidates({target, relation, Direction::kIn}, {&source, 1}, {&in, 1});
    scores[i] = (out + in) / 2;
  }
}

}  // namespace slice
