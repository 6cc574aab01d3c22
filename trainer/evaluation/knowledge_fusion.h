// Decides how much a knowledge graph embedding counts beside the network.
#ifndef SLICE_TRAINER_EVALUATION_KNOWLEDGE_FUSION_H_
#define SLICE_TRAINER_EVALUATION_KNOWLEDGE_FUSION_H_

#include <string>

#include "absl/status/statusor.h"
#include "context/knowledge_vectors.h"
#include "graphstore/graph_statistics.h"
#include "trainer/evaluation/model_evaluation.h"

namespace slice {

struct KnowledgeFusion {
  bool used = false;   // whether any weight is not 0
  NamedArray terms;    // "knowledge.terms" of KnowledgeVectors
  std::string reason;  // a sentence with the figures
};

// Weights the scores of `vectors` beside the logits of `evaluation`, relation
// by relation, on valid alone. For "plausible" a weight is good if the log loss
// of the published rows is low after Platt scaling; for "among kind", if the
// reciprocal ranks of the answers to valid questions are high. A question whose
// weights do not gain more than twice the standard error of the gain, on rows
// that they were not chosen by, gets weights of 0. Returns the errors of the
// scorer.
absl::StatusOr<KnowledgeFusion> FuseKnowledge(const ModelEvaluation& evaluation,
                                              const KnowledgeVectors& vectors);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_KNOWLEDGE_FUSION_H_
