// Measures explanations for the report: the attention of a few links, and
// whether the tokens that an explanation names carry the score.
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
#include "trainer/report/fidelity_result.h"
#include "trainer/report/report_parts.h"

namespace slice {

// How many links MeasureFidelity() draws, and by which seed.
struct FidelitySample {
  size_t links = 400;
  uint64_t seed = 1;
};

// The positions of the tokens between the ends to which the ends attend most,
// by attention rollout: `count` tokens, or all when there are fewer. Of equally
// attended tokens the first one comes first.
std::vector<size_t> MostAttended(const SemanticAssociationMatrix& attention,
                                 size_t count);

// Keeps the attention of the first context of each link: [rows] becomes
// [links]. `row_link` [rows] holds the link of each row, and ascends.
void KeepFirstContexts(std::span<const int64_t> row_link,
                       std::vector<SemanticAssociationMatrix>& attention);

// Measures how faithful explanations are (docs/evaluation.md) on `sample` links
// of `test`, drawn with `seed`. The probabilities are those of the question
// "plausible". Returns the errors of the scorer.
absl::StatusOr<FidelityResult> MeasureFidelity(const ScoringModel& model,
                                               const OutputReading& reading,
                                               std::span<const Link> test,
                                               FidelitySample sample);

// The attention with which the model scores `link`, over the first of its
// contexts. `remark` becomes the beginning of LinkExample::remark, before the
// probabilities by `reading`. FAILED_PRECONDITION when the model
// reads no context; otherwise the errors of the scorer.
absl::StatusOr<LinkExample> ShowExample(const ScoringModel& model,
                                        const OutputReading& reading,
                                        const Link& link,
                                        const std::string& remark);

// A link whose attention the report shows, and why.
struct NotableLink {
  Link link;
  std::string remark;
};
// Chooses three rows of the file whose ends a path joins: the positive with the
// highest score, the non-link with the highest score, and the positive with the
// lowest score. The remark also says whether the model calls the row a link.
// REQUIRES: ReadAnswers has read `test`.
std::vector<NotableLink> FindNotableLinks(const ScoredSplit& test);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_EXPLANATIONS_H_
