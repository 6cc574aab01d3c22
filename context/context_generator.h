// Cuts the context of a link, or of a node, from a graph view.
//
//   ContextGenerator generator(options);
//   GraphView view(snapshot);
//   view.HidePair(link.source, link.target);
//   ContextSubgraph context = generator.Cut(view, link, seed);
#ifndef SLICE_CONTEXT_CONTEXT_GENERATOR_H_
#define SLICE_CONTEXT_CONTEXT_GENERATOR_H_

#include <cstdint>
#include <string_view>
#include <utility>

#include "context/context_options.h"
#include "context/context_subgraph.h"
#include "context/node_embeddings.h"
#include "context/nodes_between.h"
#include "graphstore/graph_view.h"

namespace slice {

// The seed of one context. It is a hash of names and keys, never of ids or of
// the state of a random generator, so that a link has the same context offline
// and online, alone or in a batch.
uint64_t ContextSeed(uint64_t bundle_seed, std::string_view relation,
                     std::string_view source_key, std::string_view target_key,
                     int context_index);

// Immutable; thread-safe. Each thread keeps scratch memory of its own, about 8
// bytes per node of the graph.
class ContextGenerator {
 public:
  // Only the strategy kCoherentPaths reads `embeddings`, whose rows must
  // outlive the generator. Without embeddings that strategy follows the
  // smallest ids.
  // REQUIRES: options.Validate() is OK.
  explicit ContextGenerator(ContextOptions options,
                            NodeEmbeddings embeddings = {})
      : options_(std::move(options)), embeddings_(embeddings) {}

  // The context of `link` in `view`, from which the caller has hidden what must
  // not be seen. It depends on view, link and seed alone, and not even on the
  // seed where UsesSeed() is false. When a strategy other than kTypedPaths
  // finds no node, up to two of the least connected neighbours of each end join
  // the context.
  ContextSubgraph Cut(const GraphView& view, const Link& link,
                      uint64_t seed) const;
  // Overwrites `context` and reuses its memory. The strategies kShortestPaths
  // and kTypedPaths allocate nothing once that memory is large enough.
  void Cut(const GraphView& view, const Link& link, uint64_t seed,
           ContextSubgraph& context) const;

  // The context of one node, for pre-training. It has at most max_nodes
  // distinct nodes. tokens[0] is `node`, all roles are kBetween, the distance
  // is 0, and the link is {node, 0, node}.
  ContextSubgraph CutAround(const GraphView& view, NodeId node, uint64_t seed,
                            NodeWalk walk = NodeWalk::kChain) const;

  const ContextOptions& options() const { return options_; }

 private:
  void FindNodes(const GraphView& view, const Link& link, uint64_t seed,
                 size_t room, NodesBetween& between) const;

  const ContextOptions options_;
  const NodeEmbeddings embeddings_;
};

}  // namespace slice

#endif  // SLICE_CONTEXT_CONTEXT_GENERATOR_H_
