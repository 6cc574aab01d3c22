// What each token of a context does to a score: the link is scored again
// without it. Attention alone says where the network looked, not what follows
// from it (Jain and Wallace, NAACL 2019).
#ifndef SLICE_SERVER_PIPELINE_TOKEN_EFFECTS_H_
#define SLICE_SERVER_PIPELINE_TOKEN_EFFECTS_H_

#include <vector>

#include "absl/status/status.h"
#include "model/link_predictor.h"
#include "server/pipeline/link_job.h"

namespace slice {

// Fills token_effects of those scored items whose jobs ask for them; their
// pair features and other contexts stay as they are. Errors of
// BatchScorer::Predict.
absl::Status AddTokenEffects(const std::vector<LinkItem*>& items,
                             const BatchScorer& scorer);

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_TOKEN_EFFECTS_H_
