#include "trainer/learning/training_view.h"

#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"

namespace slice {

absl::StatusOr<PlantedLeak> ParsePlantedLeak(std::string_view name) {
  constexpr std::string_view kNames[] = {"none", "own_link", "seen_negatives",
                                         "test_links"};
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (kNames[i] == name) return static_cast<PlantedLeak>(i);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("unknown leak '", std::string(name),
                   "': use own_link, seen_negatives, test_links or none"));
}

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
