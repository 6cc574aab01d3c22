// Filtered ranking of held-out links in both directions, by every scorer of a
// model.
#ifndef SLICE_TRAINER_RANKING_EVALUATION_H_
#define SLICE_TRAINER_RANKING_EVALUATION_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "trainer/model_evaluation.h"
#include "trainer/report_parts.h"

namespace slice {

// The node asked for in (source, relation, ?) is kOut, in (?, relation, target)
// kIn.
struct LinkQuestion {
  Link link;
  Direction direction = Direction::kOut;

  // `link` with `node` in the place asked for.
  Link With(NodeId node) const;
  NodeId answer() const {
    return direction == Direction::kOut ? link.target : link.source;
  }
};

// The nodes of every type that some node in the slot asked for has in the
// graph, ascending; all nodes when the slot is empty.
std::vector<NodeId> RankingCandidates(const GraphSnapshot& snapshot,
                                      const LinkQuestion& question);

// Ranks the answers of `positives` test links, a sample that depends on the
// links alone, twice each: as targets and as sources. Every candidate is scored
// as the server would score it, by the output that answers "among its kind";
// true links of train, valid and test other than the one asked for are left out
// (Bordes et al., NeurIPS 2013). One row per scorer, the answering one first.
absl::StatusOr<RankingTable> RankTestLinks(const ModelEvaluation& evaluation,
                                           size_t positives);

}  // namespace slice

#endif  // SLICE_TRAINER_RANKING_EVALUATION_H_
