// The graph as one training example may see it (docs/leakage.md). Supervised
// training reads links only through this type. So no feature and no context can
// see the link that the example asks about, and no missing link can give away
// that the example is a positive.
#ifndef SLICE_TRAINER_LEARNING_TRAINING_VIEW_H_
#define SLICE_TRAINER_LEARNING_TRAINING_VIEW_H_

#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_view.h"
#include "graphstore/types.h"
#include "trainer/learning/planted_leak.h"
#include "trainer/learning/training_example.h"

namespace slice {

// Hides
//   - all links between the ends of the example's link, or only that link if
//     `hide_pair` is false;
//   - for a negative that keeps an end of its positive, the links of that
//     positive in the same way; otherwise "one link less than usual" would mean
//     *positive*;
//   - with TrainingExample::hide_relation, all links of the relation at the
//     source.
// PlantedLeak::kOwnLink hides nothing, unless the example is held out.
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
