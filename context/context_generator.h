// Cuts the context subgraph of a link, or of a node, from a graph view.
//
//   ContextGenerator generator(options);
//   GraphView view(snapshot);
//   view.HidePair(link.source, link.target);
//   ContextSubgraph context = generator.Cut(view, link, seed);
#ifndef SLICE_CONTEXT_CONTEXT_GENERATOR_H_
#define SLICE_CONTEXT_CONTEXT_GENERATOR_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/context_subgraph.h"
#include "graphstore/graph_view.h"

namespace slice {

// Section 3.2.1 of the paper. kShortestPaths: the nodes of shortest paths
// between the ends, the most specific paths first. kRandomWalks: the nodes of
// random walks from both ends, where they meet first.
enum class ContextStrategy { kShortestPaths, kRandomWalks };

// "shortest" or "random". INVALID_ARGUMENT for anything else, naming the two.
absl::StatusOr<ContextStrategy> ParseContextStrategy(std::string_view name);
std::string_view ContextStrategyName(ContextStrategy strategy);

struct ContextOptions {
  ContextStrategy strategy = ContextStrategy::kShortestPaths;
  int max_nodes = 12;  // nodes of a context, the two ends included; 2 to 64
  int max_hops = 6;    // the longest path looked for
  int max_degree =
      500;  // neighbours of a node ever expanded; a strided sample beyond
  int max_expanded_arcs = 20000;  // bound on one search

  // INVALID_ARGUMENT naming the field and its bounds.
  absl::Status Validate() const;
};

// The seed of one context: a hash of names, never of ids or stream state, so
// that the same link has the same context offline and online, alone or in a
// batch.
uint64_t ContextSeed(uint64_t bundle_seed, std::string_view relation,
                     std::string_view source_key, std::string_view target_key,
                     int context_index);

// Immutable; thread-safe (scratch memory is per thread: about 8 bytes per node
// of the graph).
class ContextGenerator {
 public:
  // REQUIRES: options.Validate() is OK.
  explicit ContextGenerator(const ContextOptions& options)
      : options_(options) {}

  // The context of `link` in `view`, from which the caller has hidden what must
  // not be seen. Deterministic in (view, link, seed); kShortestPaths does not
  // depend on the seed. Where no path joins the ends but their own link, each
  // brings its two least connected neighbours.
  ContextSubgraph Cut(const GraphView& view, const Link& link,
                      uint64_t seed) const;

  // The random-walk context of one node for pre-training: a walk of at most
  // max_nodes distinct nodes. tokens[0] is `node`; roles are kBetween;
  // distances are 0 and link is {node, 0, node}.
  ContextSubgraph CutAround(const GraphView& view, NodeId node,
                            uint64_t seed) const;

  const ContextOptions& options() const { return options_; }

 private:
  ContextOptions options_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_CONTEXT_GENERATOR_H_
