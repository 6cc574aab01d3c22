// Scores variants of links: links as they would be encoded without some of
// their evidence (context/link_evidence.h). The structural scorer runs alone,
// without the rest of the network, where the answer is its.
#ifndef SLICE_MODEL_VARIANT_SCORING_H_
#define SLICE_MODEL_VARIANT_SCORING_H_

#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "context/encoded_link.h"
#include "context/link_evidence.h"
#include "model/batch_scorer.h"
#include "model/prediction.h"

namespace slice {

// What the scorer of `reading` reads of an encoded link.
ScorerReads WhatScorerReads(const OutputReading& reading,
                            const EncodedLink& link);

// A link whose score is to be explained. `evidence` is for what the scorer of
// `reading` reads.
struct ScoredEvidence {
  const LinkEvidence* evidence = nullptr;
  Prediction prediction;  // of the whole link
  OutputReading reading;  // how the logits are read
};

// The logit that the reading's scorer gives for Question::kPlausible.
float LogitOf(const Prediction& prediction, const OutputReading& reading);

// The logits for Question::kPlausible, by the scorer of `reading`, of encoded
// links without some evidence. REQUIRES: the evidence is for what that scorer
// reads (WhatScorerReads).
absl::StatusOr<std::vector<float>> LogitsOf(std::span<const EncodedLink> links,
                                            const OutputReading& reading,
                                            const BatchScorer& scorer);

using Variants = std::vector<std::vector<EncodedLink>>;  // by link

// The same for the variants of several links, which share the calls of the
// scorer. By link and variant. Returns the errors of BatchScorer::Predict and
// ScoreStructural.
absl::StatusOr<std::vector<std::vector<float>>> ScoreVariants(
    std::span<const ScoredEvidence> links, Variants all,
    const BatchScorer& scorer);

}  // namespace slice

#endif  // SLICE_MODEL_VARIANT_SCORING_H_
