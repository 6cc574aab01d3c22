#include "trainer/learning/training_view.h"

namespace slice {

TrainingView::TrainingView(const GraphSnapshot& graph,
                           const TrainingExample& example, bool hide_pair,
                           PlantedLeak leak)
    : GraphView(graph) {
  if (leak == PlantedLeak::kOwnLink && !example.held_out) return;
  HideAsked(example.link, hide_pair);
  if (example.shares_end) HideAsked(example.made_from, hide_pair);
  if (example.hide_relation) {
    HideRelationAtSource(example.link.source, example.link.relation);
  }
}

void TrainingView::HideAsked(const Link& link, bool hide_pair) {
  if (hide_pair) {
    HidePair(link.source, link.target);
  } else {
    HideLink(link);
  }
}

}  // namespace slice
