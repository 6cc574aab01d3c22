// The answer of the model stage to one link.
#ifndef SLICE_SERVER_PIPELINE_LINK_ANSWER_H_
#define SLICE_SERVER_PIPELINE_LINK_ANSWER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "context/link_encoder.h"
#include "context/link_evidence.h"
#include "model/evidence_effects.h"
#include "model/prediction.h"
#include "model/semantic_association_matrix.h"

namespace slice {

// The evidence of a link and what becomes of the score without it.
struct AnsweredEvidence {
  std::vector<Evidence> items;
  EvidenceEffects effects;             // of the items, by their positions
  std::array<uint64_t, 4> paths = {};  // [links of a path]: how many paths
};

// What the network says of one of several contexts.
struct AnsweredContext {
  Prediction prediction;  // as if it were the only context of the link
  SemanticAssociationMatrix attention;
};

struct LinkAnswer {
  Prediction prediction;

  // For explanations only.
  EncodedLink encoded;                  // the input of the network
  SemanticAssociationMatrix attention;  // of the first context
  // Of each context of `encoded`, if there are several.
  std::vector<AnsweredContext> contexts;
  std::vector<float> contributions;  // of each pair feature
  // By token of the first context: the effect of the evidence that the token
  // stands for, and 0 for the two ends. Empty unless the request asks for
  // EXPLANATION_LEVEL_FULL or the link is a recommendation.
  std::vector<float> token_effects;
  // No items unless the request asks for EXPLANATION_LEVEL_FULL.
  AnsweredEvidence evidence;

  // Reads the predictions of the link and of its contexts.
  void Read(const OutputReading& reading) {
    prediction.Read(reading);
    for (AnsweredContext& context : contexts) context.prediction.Read(reading);
  }

  // The bytes of all attention weights, which a reply with the explanation
  // holds too.
  size_t AttentionBytes() const {
    size_t weights = attention.weights.size();
    for (const AnsweredContext& context : contexts) {
      weights += context.attention.weights.size();
    }
    return weights * sizeof(float);
  }
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_LINK_ANSWER_H_
