// What a report says of explanations: attention of a few links, and whether
// the tokens that explanations name carry the score.
#ifndef SLICE_TRAINER_EVALUATION_EXPLANATIONS_H_
#define SLICE_TRAINER_EVALUATION_EXPLANATIONS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "context/context_subgraph.h"
#include "model/prediction.h"
#include "model/semantic_association_matrix.h"
#include "trainer/evaluation/evaluation.h"
#include "trainer/evaluation/link_scoring.h"
#include "trainer/report/report_parts.h"

namespace slice {

// `context` with the tokens that `keep` marks, and the edges among them; the
// two ends always stay. REQUIRES: keep.size() == context.tokens.size().
ContextSubgraph KeepTokens(const ContextSubgraph& context,
                           const std::vector<bool>& keep);

// The `count` tokens but the ends that the ends attend to most, by attention
// rollout; ties by position. Fewer when there are no more.
std::vector<size_t> MostAttended(const SemanticAssociationMatrix& attention,
                                 size_t count);

// On a sample of the links of `test`, drawn by `seed` among those with at least
// two tokens between the ends; an explanation names half of them, three at
// most. Probabilities are those of the first
// question by the model's scorer. Returns the errors of the scorer.
absl::StatusOr<FidelityResult> MeasureFidelity(const ScoringModel& model,
                                               const ScoredSplit& test,
                                               size_t sample, uint64_t seed);

// The attention behind `link` as the model scores it.
absl::StatusOr<AttentionExample> ShowAttention(const ScoringModel& model,
                                               const Link& link,
                                               const std::string& remark);

// A few links of the file worth looking at: the surest link, the surest
// mistake, and the link found least probable although a path joins it; each
// with its remark.
struct NotableLink {
  Link link;
  std::string remark;
};
std::vector<NotableLink> FindNotableLinks(const ScoredSplit& test,
                                          const Calibration& calibration);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_EXPLANATIONS_H_
