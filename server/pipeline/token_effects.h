// Measures the effect of each token of a context on the score, by scoring the
// link again without the token. Attention alone says where the network looked,
// not what changed the score (Jain and Wallace, NAACL 2019).
#ifndef SLICE_SERVER_PIPELINE_TOKEN_EFFECTS_H_
#define SLICE_SERVER_PIPELINE_TOKEN_EFFECTS_H_

#include <vector>

#include "absl/status/status.h"
#include "model/batch_scorer.h"
#include "server/pipeline/link_job.h"

namespace slice {

// Fills token_effects of the scored items whose jobs ask for them. Only the
// first context of a link loses a token; its pair features and its other
// contexts stay the same. Where the scorer that answers does not read the
// contexts, the effects are 0. Returns the errors of BatchScorer::Predict.
absl::Status AddTokenEffects(const std::vector<LinkItem*>& items,
                             const BatchScorer& scorer);

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_TOKEN_EFFECTS_H_
