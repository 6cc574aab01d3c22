// A trained knowledge graph embedding.
#ifndef SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_MODEL_H_
#define SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_MODEL_H_

#include <span>
#include <vector>

#include "trainer/methods/knowledge/knowledge_tables.h"
#include "trainer/methods/link_method.h"

namespace slice {

// A question is answered by the way through the relation that it asks for; a
// link is as likely as the mean of both questions that have it for an answer.
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
  // The nodes' vectors without the biases.
  NodeEmbeddings embeddings() const override {
    return {embeddings_, tables_.dim};
  }

 private:
  const KnowledgeTables tables_;
  std::vector<float> embeddings_;  // [nodes, dim]
  // By node: the part of an answer's score that no question changes.
  std::vector<float> offsets_;
};

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_KNOWLEDGE_KNOWLEDGE_MODEL_H_
