// The graph as one training example may see it (docs/leakage.md). Supervised
// training reads links through this type alone, so that no feature and no
// context can see the link it is asked about, nor notice that a link is
// missing.
#ifndef SLICE_TRAINER_LEARNING_TRAINING_VIEW_H_
#define SLICE_TRAINER_LEARNING_TRAINING_VIEW_H_

#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_view.h"
#include "graphstore/types.h"
#include "trainer/learning/planted_leak.h"
#include "trainer/learning/training_example.h"

namespace slice {

// Hides
//   - the pair of the example's link (with `hide_pair` false, the link alone);
//   - for a negative that keeps an end of a positive, that positive's pair or
//     link too, since otherwise "one link less than usual" would mean
//     *positive*;
//   - with hide_relation, all links of the relation at the source.
// Thread-compatible, as a GraphView. `graph` must outlive it.
class TrainingView : public GraphView {
 public:
  TrainingView(const GraphSnapshot& graph, const TrainingExample& example,
               bool hide_pair, PlantedLeak leak = PlantedLeak::kNone);

 private:
  void HideAsked(const Link& link, bool hide_pair);
};

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_TRAINING_VIEW_H_
