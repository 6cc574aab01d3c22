// Cuts the context subgraph of a link, or of a node, from a graph view.
//
//   ContextGenerator generator(options);
//   GraphView view(snapshot);
//   view.HidePair(link.source, link.target);
//   ContextSubgraph context = generator.Cut(view, link, seed);
#ifndef SLICE_CONTEXT_CONTEXT_GENERATOR_H_
#define SLICE_CONTEXT_CONTEXT_GENERATOR_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/context_subgraph.h"
#include "context/metapath.h"
#include "context/node_embeddings.h"
#include "context/strategy_nodes.h"
#include "graphstore/graph_view.h"

namespace slice {

// Which nodes make the context of a link (paper, section 3.2.1, and the
// options of its published program):
//   kTypedPaths      paths: no nodes but the ends, and a token for each type of
//                    1-, 2- and 3-paths between them (model.md 4c)
//   kShortestPaths   shortest: shortest paths, the most specific first
//   kAllPaths        all: simple paths up to max_hops, the shortest first
//   kPatternPaths    pattern: paths along the metapaths of the options
//   kRandomPaths     random: a beam of random walks from source to target
//   kCoherentPaths   coherent: a beam by similarity of global embeddings
//   kRandomWalks     walks: random walks from both ends, where they meet first
//   kKhop            khop: the sampled neighbourhood of both ends
enum class ContextStrategy {
  kTypedPaths,
  kShortestPaths,
  kRandomWalks,
  kAllPaths,
  kPatternPaths,
  kRandomPaths,
  kCoherentPaths,
  kKhop
};

// The names above. INVALID_ARGUMENT for anything else, listing them.
absl::StatusOr<ContextStrategy> ParseContextStrategy(std::string_view name);
std::string_view ContextStrategyName(ContextStrategy strategy);
std::span<const ContextStrategy> AllContextStrategies();
// "shortest, all, ...", for messages and help.
std::string ContextStrategyNames();

// Whether the strategy draws: only then does a link have several contexts.
bool UsesSeed(ContextStrategy strategy);

struct ContextOptions {
  ContextStrategy strategy = ContextStrategy::kTypedPaths;
  // Nodes of a context, the two ends included; for kTypedPaths the types of
  // paths. 2 to 64.
  int max_nodes = 12;
  int max_hops = 6;  // the longest path looked for
  int max_degree =
      500;  // neighbours of a node ever expanded; a strided sample beyond
  int max_expanded_arcs = 20000;  // bound on one search
  int beam_width = 2;  // random, coherent: neighbours that continue a path
  std::vector<Metapath> metapaths = {};  // pattern: what paths follow, in order

  // INVALID_ARGUMENT naming the field and its bounds, or the field that the
  // strategy lacks.
  absl::Status Validate() const;
};

// The seed of one context: a hash of names, never of ids or stream state, so
// that the same link has the same context offline and online, alone or in a
// batch.
uint64_t ContextSeed(uint64_t bundle_seed, std::string_view relation,
                     std::string_view source_key, std::string_view target_key,
                     int context_index);

// Contexts of single nodes, for pre-training (section 3.2.1). kChain: a random
// walk over distinct nodes. kTwoHopBeam: beam_width neighbours, and beam_width
// neighbours of each.
enum class NodeWalk { kChain, kTwoHopBeam };

// "chain" or "beam". INVALID_ARGUMENT for anything else.
absl::StatusOr<NodeWalk> ParseNodeWalk(std::string_view name);

// Immutable; thread-safe (scratch memory is per thread: about 8 bytes per node
// of the graph).
class ContextGenerator {
 public:
  // `embeddings`, whose rows must outlive the generator, are read by
  // kCoherentPaths alone; without them it follows the smallest ids.
  // REQUIRES: options.Validate() is OK.
  explicit ContextGenerator(ContextOptions options,
                            NodeEmbeddings embeddings = {})
      : options_(std::move(options)), embeddings_(embeddings) {}

  // The context of `link` in `view`, from which the caller has hidden what must
  // not be seen. Deterministic in (view, link, seed), and in (view, link) where
  // UsesSeed() is false. Where the strategy finds no node, each end brings its
  // two least connected neighbours.
  ContextSubgraph Cut(const GraphView& view, const Link& link,
                      uint64_t seed) const;
  // The same in the place of another context, whose memory is reused: along
  // shortest and typed paths nothing is allocated once it is large enough.
  void Cut(const GraphView& view, const Link& link, uint64_t seed,
           ContextSubgraph& context) const;

  // The context of one node for pre-training, of at most max_nodes distinct
  // nodes. tokens[0] is `node`; roles are kBetween; distances are 0 and link is
  // {node, 0, node}.
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
