// The graph as one training example may see it (docs/leakage.md): the one way
// by which supervised training reads links, so that no feature and no context
// can see the link it is asked about, nor tell by a missing link that there was
// one.
#ifndef SLICE_TRAINER_LEARNING_TRAINING_VIEW_H_
#define SLICE_TRAINER_LEARNING_TRAINING_VIEW_H_

#include <array>
#include <cstdint>

#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/graph_view.h"
#include "graphstore/types.h"
#include "model/prediction.h"

namespace slice {

// How much an example counts for each question.
using QuestionWeights = std::array<float, kQuestions>;

// A link, what it is, and the positive it was made from (itself for one).
struct TrainingExample {
  Link link;
  bool positive = true;
  Link made_from;
  bool shares_end = false;     // a negative that keeps an end of made_from
  bool hide_relation = false;  // hide all links of the relation at the source
  bool held_out = false;       // not of the graph: may read everything
  QuestionWeights weights = {1, 1};
};

// Leaks that can be planted to show what each costs; never in a bundle that
// somebody should use. kOwnLink: an example sees its own pair's links.
// kSeenNegatives: negatives are drawn among nodes with links alone.
// kTestLinks: the test positives are in the training graph.
enum class PlantedLeak : uint8_t {
  kNone,
  kOwnLink,
  kSeenNegatives,
  kTestLinks
};
// "none", "own_link", "seen_negatives" or "test_links". INVALID_ARGUMENT for
// another name, naming them.
absl::StatusOr<PlantedLeak> ParsePlantedLeak(std::string_view name);

// Hidden are the pair of the example (or, with `hide_pair` false, its link
// alone); for a negative that keeps an end of a positive that positive's pair
// or link too, or else one degree less would mean *positive*; and all links of
// the relation at the source where the example says so. `graph` must outlive
// it; otherwise as a GraphView.
class TrainingView : public GraphView {
 public:
  TrainingView(const GraphSnapshot& graph, const TrainingExample& example,
               bool hide_pair, PlantedLeak leak = PlantedLeak::kNone);

 private:
  void HideAsked(const Link& link, bool hide_pair);
};

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_TRAINING_VIEW_H_
