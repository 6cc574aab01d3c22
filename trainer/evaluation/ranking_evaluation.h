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
  // How many positives of test are asked about; all if there are fewer.
  size_t positives = 0;
  // How many of the best candidates the scorers with contexts order again.
  size_t rerank = 200;
};

// Ranks the answers of questions about a sample of test links. The sample
// depends on the links alone. Each link gives two questions: one asks for its
// target, the other for its source. The scores of
// CandidateRanker order all candidates, and the scorers with contexts order the
// first `rerank` of these again. True links of train, valid and test
// other than the answer are left out (Bordes et al., NeurIPS 2013). Those of
// valid and test are left out only after the candidates to rerank were chosen,
// as a server does not know them.
//
// The table has a row per scorer and then a row per method that learns nothing.
// The answering scorer comes first, and also has a row for each direction. The
// `milliseconds` of the table are the mean time of a question. Returns the
// errors of the scorer.
absl::StatusOr<RankingTable> RankTestLinks(const ModelEvaluation& evaluation,
                                           const RankTestOptions& options);

}  // namespace slice

#endif  // SLICE_TRAINER_EVALUATION_RANKING_EVALUATION_H_
