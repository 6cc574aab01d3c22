// Measures what carries the scores of links (model/evidence_effects.h), for
// explanations.
#ifndef SLICE_SERVER_PIPELINE_EVIDENCE_WEIGHING_H_
#define SLICE_SERVER_PIPELINE_EVIDENCE_WEIGHING_H_

#include <span>
#include <vector>

#include "absl/status/status.h"
#include "server/pipeline/link_job.h"

namespace slice {

// Fills `evidence` and `token_effects` of the scored items whose jobs ask for
// full explanations. REQUIRES: all items are of one model. Returns the errors
// of BatchScorer::Predict.
absl::Status AddEvidence(const std::vector<LinkItem*>& items);

// Fills `token_effects` of items that a recommendation made, for path tokens
// alone. Their link, encoded link and prediction are set. Returns the errors of
// BatchScorer::Predict.
absl::Status AddTokenEffects(const ModelOnGraph& served,
                             const OutputReading& reading,
                             std::span<LinkItem> items);

}  // namespace slice

#endif  // SLICE_SERVER_PIPELINE_EVIDENCE_WEIGHING_H_
