// Decides how much a knowledge graph embedding counts beside the network.
#ifndef SLICE_TRAINER_EVALUATION_KNOWLEDGE_FUSION_H_
#define SLICE_TRAINER_EVALUATION_KNOWLEDGE_FUSION_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "context/knowledge_vectors.h"
#include "graphstore/graph_statistics.h"
#include "graphstore/labelled_link.h"
#include "trainer/evaluation/model_evaluation.h"

namespace slice {

struct KnowledgeFusion {
  bool used = false;                  // whether any weight is not 0
  NamedArray terms;                   // "knowledge.terms" of KnowledgeVectors
  NamedArray among_kind_and_ranking;  // its "knowledge.kind"
  std::string reason;                 // how both questions use it, with figures
};

// The mean score of the rows of each relation, near that of all rows. Rows with
// an end that has no vector do not count.
std::vector<float> KnowledgeCenters(std::span<const LabelledLink> rows,
                                    const KnowledgeVectors& vectors,
                                    size_t relation_count);

// Weights the scores of `vectors`, less their centers, beside the logits of
// `evaluation`, relation by relation, on valid alone. A weight is good if the
// log loss is low after Platt scaling: for "plausible" that of the published
// rows, for "among kind" that of the links and their type-matched and
// degree-matched non-links. If the weights of a question gain nothing clear on
// rows that they were not chosen by, they are 0. `ranking` are the weights that
// ChooseRanking gave for the order of candidates; empty: all are 0. Returns the
// errors of the scorer.
absl::StatusOr<KnowledgeFusion> FuseKnowledge(const ModelEvaluation& evaluation,
                                              const KnowledgeVectors& vectors,
                                              std::span<const float> ranking);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_KNOWLEDGE_FUSION_H_
