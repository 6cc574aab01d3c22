#include "trainer/report/report_parts.h"

namespace slice {

RankingFigures MakeRankingFigures(const RankingMetrics& metrics) {
  return {metrics.count(),    metrics.MeanReciprocalRank(),
          metrics.MeanRank(), metrics.HitsAt(1),
          metrics.HitsAt(3),  metrics.HitsAt(10)};
}

}  // namespace slice
