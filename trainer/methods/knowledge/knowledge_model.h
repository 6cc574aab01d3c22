// A trained knowledge graph embedding.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_MODEL_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_MODEL_H_

#include <span>
#include <vector>

#include "trainer/methods/knowledge/knowledge_tables.h"
#include "trainer/methods/link_method.h"

namespace slice {

// Scores with trained tables. ScoreCandidates() scores each candidate as the
// answer to the question. Score() scores a link by the mean over the two
// questions that it answers: the one for its target and the one for its source.
// Immutable; thread-safe.
class KnowledgeModel : public TrainedMethod {
 public:
  KnowledgeModel(const KnowledgeTables& tables, MethodSummary summary);

  void Score(std::span<const Link> links, std::span<const Link> made_from,
             std::span<float> scores) const override;
  // O(candidates * dim).
  void ScoreCandidates(const EndQuestion& question,
                       std::span<const NodeId> candidates,
                       std::span<float> scores) const override;
  // The vectors of the nodes, without their biases.
  NodeEmbeddings embeddings() const override {
    return {embeddings_, tables_.dim};
  }

 private:
  const KnowledgeTables tables_;
  std::vector<float> embeddings_;  // [nodes, dim]
  // [nodes]: the part of the score of an answer that does not depend on the
  // question; empty for products.
  std::vector<float> offsets_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_MODEL_H_
