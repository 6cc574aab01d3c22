// Filtered ranking of held-out links in both directions, by every scorer of a
// model.
#ifndef SLICE_TRAINER_EVALUATION_RANKING_EVALUATION_H_
#define SLICE_TRAINER_EVALUATION_RANKING_EVALUATION_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "trainer/evaluation/model_evaluation.h"
#include "trainer/report/report_parts.h"

namespace slice {

struct RankTestOptions {
  size_t positives = 0;  // of test; all when it has fewer
  size_t rerank = 200;   // candidates that the scorers with contexts see
};

// Ranks the answers of so many test links, a sample that depends on the links
// alone, twice each: as targets and as sources. The structural scorer orders
// all candidates, the others the first `rerank` of these, by the output that
// answers "among its kind"; true links of train, valid and test other than the
// one asked for are left out (Bordes et al., NeurIPS 2013), those of valid and
// test only after the candidates to see again were chosen. One row per scorer,
// the answering one first and by direction, then what learns nothing.
// `milliseconds` of the table is the median time of one question.
absl::StatusOr<RankingTable> RankTestLinks(const ModelEvaluation& evaluation,
                                           const RankTestOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_RANKING_EVALUATION_H_
