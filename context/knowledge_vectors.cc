// With complex numbers u, r, v, the score is Re(u r conj(v)), summed over the
// coordinates. As a dot product of pairs (real, imaginary) it is <u r, v> when
// v is wanted, and <v conj(r), u> when u is wanted.
#include "context/knowledge_vectors.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/complex_rows.h"
#include "common/row_products.h"
#include "common/status_macros.h"

namespace slice {
namespace {

absl::StatusOr<std::span<const float>> Read(const GraphStatistics& statistics,
                                            const char* name, size_t size) {
  SLICE_ASSIGN_OR_RETURN(const NamedArray* array, statistics.Get(name));
  if (array->values.size() != size) {
    return absl::DataLossError(
        absl::StrCat(name, " holds ", array->values.size(), " values, not ",
                     size, ": train the bundle again"));
  }
  return std::span<const float>(array->values);
}

}  // namespace

absl::StatusOr<std::optional<KnowledgeVectors>>
KnowledgeVectors::FromStatistics(const GraphStatistics& statistics,
                                 size_t node_count, size_t relation_count) {
  const auto nodes = statistics.Get("knowledge.nodes");
  if (!nodes.ok()) return std::nullopt;
  KnowledgeVectors vectors;
  vectors.node_count_ = node_count;
  if (node_count > 0) vectors.dim_ = (*nodes)->values.size() / node_count;
  const size_t dim = vectors.dim_ / 2 * 2;  // pairs
  SLICE_ASSIGN_OR_RETURN(vectors.nodes_,
                         Read(statistics, "knowledge.nodes", node_count * dim));
  SLICE_ASSIGN_OR_RETURN(
      vectors.relations_,
      Read(statistics, "knowledge.relations", relation_count * dim));
  SLICE_ASSIGN_OR_RETURN(
      vectors.terms_,
      Read(statistics, "knowledge.terms", relation_count * (1 + kQuestions)));
  if (statistics.Get("knowledge.kind").ok()) {
    SLICE_ASSIGN_OR_RETURN(
        vectors.among_kind_and_ranking_,
        Read(statistics, "knowledge.kind", relation_count * 2));
  }
  return vectors;
}

bool KnowledgeVectors::Has(NodeId node) const {
  if (node >= node_count_) return false;
  const std::span<const float> row = Row(node);  // its first number ends it
  return std::any_of(row.begin(), row.end(), [](float x) { return x != 0; });
}

void KnowledgeVectors::Prepare(const EndQuestion& question,
                               std::vector<float>& point) const {
  point.clear();
  if (!Has(question.anchor)) return;
  point.resize(dim_);
  const float* const anchor = Row(question.anchor).data();
  const float* const relation = relations_.data() + question.relation * dim_;
  if (question.direction == Direction::kOut) {
    MultiplyComplex(anchor, relation, dim_, point.data());
  } else {
    MultiplyConjugate(relation, anchor, dim_, point.data());
  }
}

float KnowledgeVectors::Score(const Link& link) const {
  if (!HasEnds(link)) return 0;
  thread_local std::vector<float> point;  // its memory is reused
  Prepare({link.source, link.relation, Direction::kOut}, point);
  float score = 0;
  MultiplyRows({point.data(), nodes_.data(), dim_, &link.target, 1, &score});
  return score;
}

float KnowledgeVectors::CenteredScore(const Link& link, float center) const {
  return HasEnds(link) ? Score(link) - center : 0;
}

std::array<float, KnowledgeVectors::kQuestions> KnowledgeVectors::Logits(
    const Link& link) const {
  std::array<float, kQuestions> logits = {};
  if (!HasEnds(link)) return logits;
  const std::span<const float> terms = Terms(link.relation);
  const float score = Score(link);
  for (size_t q = 0; q < kQuestions; ++q) {
    logits[q] = terms[1 + q] * (score - CenterOf(q, link.relation));
  }
  return logits;
}

void KnowledgeVectors::CenteredScoreOfEach(const EndQuestion& question,
                                           std::span<const float> point,
                                           std::span<const NodeId> nodes,
                                           std::span<float> scores) const {
  if (point.empty()) {
    std::fill(scores.begin(), scores.end(), 0.0f);
    return;
  }
  thread_local std::vector<NodeId> rows;  // its memory is reused
  rows.assign(nodes.begin(), nodes.end());
  for (NodeId& node : rows) node = node < node_count_ ? node : 0;
  MultiplyRows({point.data(), nodes_.data(), dim_, rows.data(), rows.size(),
                scores.data()});
  for (size_t i = 0; i < nodes.size(); ++i) {
    scores[i] = Has(nodes[i]) ? scores[i] - center(question.relation) : 0;
  }
}

void KnowledgeVectors::RankingTermOfEach(const EndQuestion& question,
                                         std::span<const float> point,
                                         std::span<const NodeId> nodes,
                                         std::span<float> terms) const {
  const float weight = RankingWeight(question.relation);
  if (weight == 0) {
    std::fill(terms.begin(), terms.end(), 0.0f);
    return;
  }
  CenteredScoreOfEach(question, point, nodes, terms);
  for (float& term : terms) term *= weight;
}

}  // namespace slice
