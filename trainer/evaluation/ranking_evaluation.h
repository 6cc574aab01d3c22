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
  size_t positives = 0;  // of test, that are asked about; all if it has fewer
  size_t rerank = 200;   // candidates that the scorers with contexts order
};

// Ranks the answers of a sample of test links, which depends on the links
// alone. Each link asks for its target and for its source. The structural
// scorer orders all candidates, the other scorers the first `rerank` of these,
// by the output for "among kind". True links of train, valid and test other
// than the answer are left out (Bordes et al., NeurIPS 2013); those of valid
// and test only after the candidates to rerank were chosen, as a server does
// not know them.
//
// The table has a row per scorer, the answering one first and by direction,
// then rows of methods that learn nothing. Its `milliseconds` is the median
// time of a question. Returns the errors of the scorer.
absl::StatusOr<RankingTable> RankTestLinks(const ModelEvaluation& evaluation,
                                           const RankTestOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_RANKING_EVALUATION_H_
