// The answer of the model stage to one link.
#ifndef SLICE_SERVER_PIPELINE_LINK_ANSWER_H_
#define SLICE_SERVER_PIPELINE_LINK_ANSWER_H_

#include <vector>

#include "context/link_encoder.h"
#include "model/prediction.h"
#include "model/semantic_association_matrix.h"

namespace slice {

struct LinkAnswer {
  Prediction prediction;

  // For explanations only.
  EncodedLink encoded;                  // the input of the network
  SemanticAssociationMatrix attention;  // of the first context
  std::vector<float> contributions;     // of each pair feature
  // By token of the first context: the logit minus the logit without the token.
  // The values of the two ends, which are never removed, are 0. Empty unless
  // the request asks for EXPLANATION_LEVEL_FULL.
  std::vector<float> token_effects;
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_LINK_ANSWER_H_
