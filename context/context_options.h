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
//   kTypedPaths      paths: path tokens, one for each type of path of one to
//                    three links between the ends; the ends are the only nodes
//                    (docs/model.md, "Tokens and context")
//   kShortestPaths   shortest: shortest paths, the most specific first
//   kAllPaths        all: simple paths up to max_hops, the shortest first
//   kPatternPaths    pattern: paths along the metapaths of the options
//   kRandomPaths     random: random paths from source to target
//   kCoherentPaths   coherent: paths over the nodes whose global embeddings
//                    are most similar to those of both ends
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

// Reads a name of the list above. INVALID_ARGUMENT, listing the names, for any
// other name.
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
  int max_hops = 6;  // the most links of a path; 1 to 16
  // The most neighbours that a search visits at one node. Where a node has
  // more, the search visits a strided sample of them.
  int max_degree = 500;
  int max_expanded_arcs = 20000;  // the most arcs that one search visits
  int beam_width = 2;  // random, coherent: how many neighbours continue a path
  // pattern: the metapaths that paths follow, the preferred ones first.
  std::vector<Metapath> metapaths = {};

  // INVALID_ARGUMENT when a field is out of its bounds, or when the strategy is
  // `pattern` and there are no metapaths. The message names the field.
  absl::Status Validate() const;
};

// How the nodes around a single node are chosen for pre-training (paper,
// section 3.2.1). kChain: a random walk over distinct nodes. kTwoHopBeam:
// beam_width neighbours of the node, and beam_width neighbours of each of them.
enum class NodeWalk { kChain, kTwoHopBeam };

// Reads "chain" or "beam". INVALID_ARGUMENT for any other name.
absl::StatusOr<NodeWalk> ParseNodeWalk(std::string_view name);

}  // namespace slice

#endif  // SLICE_CONTEXT_CONTEXT_OPTIONS_H_
