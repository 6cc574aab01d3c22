// The walks that asp2vec learns from.
#ifndef SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASPECT_WALKS_H_
#define SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASPECT_WALKS_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "graphstore/types.h"
#include "trainer/embedding/walk_graph.h"
#include "trainer/embedding/walk_source.h"
#include "trainer/methods/link_method.h"
#include "trainer/methods/walks/labelled_walk_graph.h"

namespace slice {

// Walks, and the graph that they go over: one of the two. Movable.
struct AspectWalks {
  std::unique_ptr<const WalkGraph> graph;             // of walks along any link
  std::unique_ptr<const LabelledWalkGraph> labelled;  // of those on metapaths
  std::unique_ptr<const WalkSource> source;
  std::vector<NodeId> starts;  // the nodes with a neighbour, ascending
};

// Whether these walks follow metapaths that are searched for in the graph.
bool SearchesMetapaths(const MethodInput& input,
                       const ParameterValues& parameters);

// The walks that the parameters walks_along, metapaths, metapath_count and
// walk_length describe. FAILED_PRECONDITION when no link joins two nodes.
// INVALID_ARGUMENT when metapaths are named for walks along any link. Returns
// the errors of ParseWalkSchemes().
absl::StatusOr<AspectWalks> PlanAspectWalks(const MethodInput& input,
                                            const ParameterValues& parameters);

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_ASPECTS_ASPECT_WALKS_H_
