// Filtered ranking of held-out links by a comparison method, as knowledge graph
// papers do it: against all nodes, in both directions.
#ifndef SLICE_TRAINER_METHODS_METHOD_RANKING_H_
#define SLICE_TRAINER_METHODS_METHOD_RANKING_H_

#include <span>
#include <string>
#include <vector>

#include "graphstore/graph_snapshot.h"
#include "graphstore/labelled_link.h"
#include "trainer/evaluation/ranking_questions.h"
#include "trainer/methods/link_method.h"
#include "trainer/metrics.h"

namespace slice {

// True links of a question other than the one asked for are no rivals (Bordes
// et al., NeurIPS 2013): those of the snapshot and the positives of `held_out`.
// Immutable; thread-safe. The snapshot must outlive it.
class MethodRanking {
 public:
  MethodRanking(const GraphSnapshot& snapshot,
                std::span<const std::span<const LabelledLink>> held_out);

  // The rank of each answer among all nodes, from 1, ties counting half.
  // `title` is that of the progress line.
  std::vector<double> Rank(const TrainedMethod& method,
                           std::span<const LinkQuestion> questions, int threads,
                           const std::string& title) const;

 private:
  double RankOne(const TrainedMethod& method, const LinkQuestion& question,
                 std::span<const NodeId> nodes, std::vector<float>& scores,
                 std::vector<char>& is_true) const;

  // Held-out positives, by (anchor, relation): of the sources, of the targets.
  struct Known {
    NodeId anchor;
    RelationId relation;
    NodeId answer;
    auto operator<=>(const Known&) const = default;
  };

  const GraphSnapshot* const snapshot_;
  std::vector<Known> known_[2];  // by Direction; ascending
};

// The measures over all ranks.
RankingMetrics MetricsOf(std::span<const double> ranks);

// The mean reciprocal rank of `questions`: what early stopping of methods that
// rank looks at.
double MeanReciprocalRank(const MethodRanking& ranking,
                          const TrainedMethod& method,
                          std::span<const LinkQuestion> questions, int threads);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_METHOD_RANKING_H_
