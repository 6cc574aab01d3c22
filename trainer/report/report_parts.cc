#include "trainer/report/report_parts.h"

namespace slice {

RankingFigures MakeRankingFigures(const RankingMetrics& metrics, uint64_t of) {
  return {.targets = metrics.count(),
          .mrr = metrics.MeanReciprocalRank(),
          .mean_rank = metrics.MeanRank(),
          .hits_1 = metrics.HitsAt(1),
          .hits_3 = metrics.HitsAt(3),
          .hits_10 = metrics.HitsAt(10),
          .mrr_error = metrics.ReciprocalRankError(of),
          .hits_1_error = metrics.HitsErrorAt(1, of),
          .hits_3_error = metrics.HitsErrorAt(3, of),
          .hits_10_error = metrics.HitsErrorAt(10, of)};
}

}  // namespace slice
