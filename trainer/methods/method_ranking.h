// Filtered ranking of held-out links by a comparison method, as papers on
// knowledge graphs do it: against all nodes, for source and target.
#ifndef SLICE_TRAINER_METHODS_METHOD_RANKING_H_
#define SLICE_TRAINER_METHODS_METHOD_RANKING_H_

#include <span>
#include <string>
#include <vector>

#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"
#include "trainer/evaluation/evaluation_links.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/methods/link_method.h"
#include "trainer/metrics.h"

namespace slice {

// Ranks answers among all nodes. Nodes that answer the question truly, other
// than the answer that is ranked, do not count as rivals (Bordes et al.,
// NeurIPS 2013). The true links are those of the snapshot and the positives of
// `held_out`. Immutable; thread-safe. The snapshot must outlive it.
class MethodRanking {
 public:
  MethodRanking(const GraphSnapshot& snapshot,
                std::span<const std::span<const LabelledLink>> held_out);

  // The rank of the answer of each question among all nodes, from 1. A node
  // with the same score counts by half; an answer whose score is NaN is last.
  // `title` names the progress line.
  std::vector<double> Rank(const TrainedMethod& method,
                           std::span<const LinkQuestion> questions, int threads,
                           const std::string& title) const;

 private:
  // `scores` and `is_true` are buffers [nodes]; `is_true` is all zero before
  // and after.
  double RankOne(const TrainedMethod& method, const LinkQuestion& question,
                 std::span<const NodeId> nodes, std::vector<float>& scores,
                 std::vector<char>& is_true) const;

  const GraphSnapshot* const snapshot_;
  const KnownLinks held_out_;
};

// The ranking metrics over all ranks.
RankingMetrics MetricsOf(std::span<const double> ranks);

// The mean reciprocal rank over `questions`. Methods that are trained to rank
// use it for early stopping.
double MeanReciprocalRank(const MethodRanking& ranking,
                          const TrainedMethod& method,
                          std::span<const LinkQuestion> questions, int threads);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_METHOD_RANKING_H_
