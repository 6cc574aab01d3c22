// The options of a context: which strategy chooses what lies between the ends
// of a link, and how far it looks.
#ifndef SLICE_CONTEXT_CONTEXT_OPTIONS_H_
#define SLICE_CONTEXT_CONTEXT_OPTIONS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "context/metapath.h"

namespace slice {

// What lies between the ends of a link (paper, section 3.2.1, and the options
// of its published program), with the name of each strategy:
//   kTypedPaths      paths: path tokens, one for each type of 1-, 2- and
//                    3-paths between the ends; the ends are the only nodes
//                    (docs/model.md, "Tokens and context")
//   kShortestPaths   shortest: shortest paths, the most specific first
//   kAllPaths        all: simple paths up to max_hops, the shortest first
//   kPatternPaths    pattern: paths along the metapaths of the options
//   kRandomPaths     random: a beam of random walks from source to target
//   kCoherentPaths   coherent: a beam by similarity of global embeddings
//   kRandomWalks     walks: random walks from both ends; nodes that both ends
//                    reach come first
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

// Reads a name of the list above. INVALID_ARGUMENT, listing the names, for
// anything else.
absl::StatusOr<ContextStrategy> ParseContextStrategy(std::string_view name);
std::string_view ContextStrategyName(ContextStrategy strategy);
std::span<const ContextStrategy> AllContextStrategies();
// "paths, shortest, all, ...", for messages and help.
std::string ContextStrategyNames();

// Whether the strategy draws at random. Only then do the contexts of one link
// differ from seed to seed.
bool UsesSeed(ContextStrategy strategy);

struct ContextOptions {
  ContextStrategy strategy = ContextStrategy::kTypedPaths;
  // The most nodes of a context, its two ends included; for kTypedPaths the
  // most path tokens. 2 to 64.
  int max_nodes = 12;
  int max_hops = 6;  // links of the longest path
  // Neighbours that a search visits at one node; a strided sample of them when
  // the node has more.
  int max_degree = 500;
  int max_expanded_arcs = 20000;  // arcs that one search visits
  int beam_width = 2;  // random, coherent: neighbours that continue a path
  std::vector<Metapath> metapaths = {};  // pattern: what paths follow, in order

  // INVALID_ARGUMENT naming the field and its bounds, or the field that the
  // strategy lacks.
  absl::Status Validate() const;
};

// How the nodes around a single node are chosen for pre-training (paper,
// section 3.2.1). kChain: a random walk over distinct nodes. kTwoHopBeam:
// beam_width neighbours of the node, and beam_width neighbours of each of them.
enum class NodeWalk { kChain, kTwoHopBeam };

// Reads "chain" or "beam". INVALID_ARGUMENT for anything else.
absl::StatusOr<NodeWalk> ParseNodeWalk(std::string_view name);

}  // namespace slice

#endif  // SLICE_CONTEXT_CONTEXT_OPTIONS_H_
