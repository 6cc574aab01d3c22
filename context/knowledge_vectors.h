// A knowledge graph embedding of the training graph, whose score of a link is
// added to the logits of the network.
#ifndef SLICE_CONTEXT_KNOWLEDGE_VECTORS_H_
#define SLICE_CONTEXT_KNOWLEDGE_VECTORS_H_

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "context/end_question.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/types.h"

namespace slice {

// The score of a link (u, r, v) is that of ComplEx (Trouillon et al., ICML
// 2016): the real part of sum_k u_k r_k conj(v_k), where u, r and v are vectors
// of complex numbers. Two kinds of node have no vector: those that came to the
// graph after training, and those without train links, whose rows are zeros.
//
// The logits of the link receive weight_r * (score - center_r). Each question
// has its weight, and so has the order of candidates; the center is the mean
// score of the relation in the rows that decide the weights. A link with an end
// without a vector receives nothing (trainer/evaluation/knowledge_fusion.h).
//
// Reads the arrays in place: they must outlive the object. Immutable;
// thread-safe.
class KnowledgeVectors {
 public:
  static constexpr size_t kQuestions = 2;  // plausible, among kind

  // Reads the arrays "knowledge.nodes" [nodes, dim], "knowledge.relations"
  // [relations, dim], each row as pairs (real, imaginary), and
  // "knowledge.terms" [relations, 1 + kQuestions], each row as the center and
  // the weights. And reads "knowledge.kind" [relations, 2], each row as the
  // center of "among kind" and the weight in the order of candidates; older
  // bundles lack it, so that center and weight of "among kind" are those of
  // "knowledge.terms" and count in the order, too. Returns nullopt when
  // "knowledge.nodes" is absent, NOT_FOUND when it is there and another of the
  // first three is missing, and DATA_LOSS when the shapes do not agree.
  static absl::StatusOr<std::optional<KnowledgeVectors>> FromStatistics(
      const GraphStatistics& statistics, size_t node_count,
      size_t relation_count);

  size_t dim() const { return dim_; }
  // Whether the node has a vector.
  bool Has(NodeId node) const;
  bool HasEnds(const Link& link) const {
    return Has(link.source) && Has(link.target);
  }
  float center(RelationId relation) const { return Terms(relation)[0]; }

  // The score, and the score minus `center`; both are 0 if an end has no
  // vector.
  float Score(const Link& link) const;
  float CenteredScore(const Link& link, float center) const;
  // What is added to the logits of a link, by question.
  std::array<float, kQuestions> Logits(const Link& link) const;

  // Sets `point` [dim] to the vector p for which the score of
  // question.With(v) is the dot product of p and the vector of v. Makes it
  // empty when the anchor of `question` has no vector.
  void Prepare(const EndQuestion& question, std::vector<float>& point) const;
  // Sets scores[i] to CenteredScore(question.With(nodes[i]), center(relation)).
  // `point` is that of Prepare(question).
  void CenteredScoreOfEach(const EndQuestion& question,
                           std::span<const float> point,
                           std::span<const NodeId> nodes,
                           std::span<float> scores) const;
  // Sets terms[i] to what nodes[i] receives among the candidates of `question`,
  // with the same point.
  void RankingTermOfEach(const EndQuestion& question,
                         std::span<const float> point,
                         std::span<const NodeId> nodes,
                         std::span<float> terms) const;

 private:
  // Defined for nodes of the training graph alone.
  std::span<const float> Row(NodeId node) const {
    return nodes_.subspan(node * dim_, dim_);
  }
  std::span<const float> Terms(RelationId relation) const {
    return terms_.subspan(relation * (1 + kQuestions), 1 + kQuestions);
  }
  float CenterOf(size_t question, RelationId relation) const {
    return question == 0 || among_kind_and_ranking_.empty()
               ? center(relation)
               : among_kind_and_ranking_[2 * relation];
  }
  float RankingWeight(RelationId relation) const {
    return among_kind_and_ranking_.empty()
               ? Terms(relation).back()
               : among_kind_and_ranking_[2 * relation + 1];
  }

  size_t node_count_ = 0;
  size_t dim_ = 0;
  std::span<const float> nodes_;      // [nodes, dim]
  std::span<const float> relations_;  // [relations, dim]
  std::span<const float> terms_;      // [relations, 1 + kQuestions]
  std::span<const float> among_kind_and_ranking_;  // [relations, 2], or empty
};

}  // namespace slice

#endif  // SLICE_CONTEXT_KNOWLEDGE_VECTORS_H_
