// Metapaths as endless patterns for walks: there and back, again and again.
#ifndef SLICE_TRAINER_METHODS_WALKS_WALK_SCHEMES_H_
#define SLICE_TRAINER_METHODS_WALKS_WALK_SCHEMES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/graph_snapshot.h"
#include "trainer/methods/walks/labelled_walk_graph.h"

namespace slice {

// A metapath and the way back along it (Dong et al., KDD 2017, 3.2.1: metapaths
// of walks are symmetric, so that they can be repeated). Step p of the cycle
// goes along an arc with the label steps[p].
struct WalkScheme {
  std::vector<uint32_t> steps;
  double paths = 0;  // of the metapath in the graph, one way

  // With labels that are types: that of a node from which step p is made.
  uint32_t TypeBefore(size_t p) const {
    return steps[(p + steps.size() - 1) % steps.size()];
  }
};

// Reads metapaths separated by commas. By types: "author-paper-venue". By
// relations: "likes/^likes/follows", ^ against a link. INVALID_ARGUMENT naming
// a type or relation that the graph lacks; INVALID_ARGUMENT when there is no
// metapath, or one has no step, or no path in the graph.
absl::StatusOr<std::vector<WalkScheme>> ParseWalkSchemes(
    std::string_view text, const GraphSnapshot& snapshot,
    const LabelledWalkGraph& graph);

// The metapaths of two to `most_steps` steps with the most paths in the graph
// (nodes may repeat on a path), `count` of them, and then for each label that
// none of them has the one with the most paths that has it. Of many labels
// (relations) only the most frequent beginnings are followed.
std::vector<WalkScheme> CommonWalkSchemes(const LabelledWalkGraph& graph,
                                          int most_steps, size_t count);

// As ParseWalkSchemes reads it, without the way back.
std::string FormatWalkScheme(const WalkScheme& scheme,
                             const GraphSnapshot& snapshot, WalkLabels labels);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_WALK_SCHEMES_H_
