// What the model stage finds out about a link.
#ifndef SLICE_SERVER_PIPELINE_LINK_ANSWER_H_
#define SLICE_SERVER_PIPELINE_LINK_ANSWER_H_

#include <vector>

#include "context/link_encoder.h"
#include "model/prediction.h"

namespace slice {

struct LinkAnswer {
  Prediction prediction;

  // For explanations only.
  EncodedLink encoded;                  // what the network saw
  SemanticAssociationMatrix attention;  // of the first context
  std::vector<float> contributions;     // of the pair features
  // By token of the first context: the logit less what it is without the token.
  // Empty unless asked for; the two ends stay, with 0.
  std::vector<float> token_effects;
};

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_LINK_ANSWER_H_
