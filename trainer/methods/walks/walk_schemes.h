// Metapaths as endless patterns for walks: to the end of the metapath and back,
// again and again.
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

// A metapath followed by its reverse. The two form a cycle, which a walk can
// repeat without end (Dong et al., KDD 2017, 3.2.1). Step p of the cycle
// follows an arc with the label steps[p].
struct WalkScheme {
  std::vector<uint32_t> steps;
  double paths = 0;  // number of paths of the metapath, without its reverse

  // The type of the node from which step p leads. REQUIRES: labels are node
  // types.
  uint32_t TypeBefore(size_t p) const {
    return steps[(p + steps.size() - 1) % steps.size()];
  }
};

// Reads metapaths separated by commas. With node types as labels:
// "author-paper-venue". With relations: "likes/^likes/follows", where ^ goes
// against the links. INVALID_ARGUMENT when the graph lacks a type or relation
// (the message names it), when there is no metapath, and when a metapath has no
// step or no path in the graph.
absl::StatusOr<std::vector<WalkScheme>> ParseWalkSchemes(
    std::string_view text, const GraphSnapshot& snapshot,
    const LabelledWalkGraph& graph);

// The `count` metapaths of two to `most_steps` steps with the most paths in the
// graph. A path may visit a node repeatedly. For each label that none of these
// metapaths has, the most frequent metapath with that label is added. With many
// labels only the most frequent beginnings of metapaths are extended, so that a
// rare metapath may be missed.
std::vector<WalkScheme> CommonWalkSchemes(const LabelledWalkGraph& graph,
                                          int most_steps, size_t count);

// An estimate of the memory that the search of CommonWalkSchemes needs, in MiB:
// a number per node for each beginning of a metapath that it extends.
double CommonWalkSchemesMib(const GraphSnapshot& snapshot);

// The metapath of a scheme without its reverse, as ParseWalkSchemes() reads it.
std::string FormatWalkScheme(const WalkScheme& scheme,
                             const GraphSnapshot& snapshot, WalkLabels labels);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_WALK_SCHEMES_H_
