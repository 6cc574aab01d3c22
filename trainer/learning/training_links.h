// Lists the links of a training graph, and removes parts of them: a fold, or
// the links of some relations at a part of the sources (docs/leakage.md,
// sections 5 and 6).
#ifndef SLICE_TRAINER_LEARNING_TRAINING_LINKS_H_
#define SLICE_TRAINER_LEARNING_TRAINING_LINKS_H_

#include <vector>

#include "common/random.h"
#include "context/own_pair_links.h"
#include "graphstore/graph_data.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/link_folds.h"
#include "graphstore/types.h"

namespace slice {

// The held fold: the fold of the train links that embeddings and pre-training
// do not see.
inline constexpr int kHeldFold = 0;

// How links are split into folds: by pair, unless an example may see the other
// links of its pair (docs/leakage.md, section 5).
inline LinkFolds::Unit FoldUnit(OwnPairLinks own_pair_links) {
  return own_pair_links == OwnPairLinks::kReveal ? LinkFolds::Unit::kLink
                                                 : LinkFolds::Unit::kPair;
}

// Calls visit(link) for every link of `snapshot`, ascending.
template <typename Visit>
void ForEachLink(const GraphSnapshot& snapshot, Visit visit) {
  for (NodeId node = 0; node < snapshot.node_count(); ++node) {
    const ArcSpan arcs = snapshot.Arcs(node, Direction::kOut);
    for (size_t i = 0; i < arcs.size(); ++i) {
      visit(Link{node, arcs.relations[i], arcs.neighbors[i]});
    }
  }
}

// All links of `snapshot`, ascending.
std::vector<Link> AllLinks(const GraphSnapshot& snapshot);

// The links of one fold, ascending.
std::vector<Link> LinksOfFold(const GraphSnapshot& snapshot,
                              const LinkFolds& folds, int fold);

// Removes the links of one fold from `data`.
void EraseFold(const LinkFolds& folds, int fold, GraphData* data);

// The part that `source` belongs to, in [0, parts). Nodes are dealt to parts by
// a hash of their id.
inline int SourcePart(NodeId source, int parts) {
  return static_cast<int>(MixBits(source + 1) % static_cast<uint64_t>(parts));
}

// Turns `data` into a graph from which tables for examples with
// TrainingExample::hide_relation may be made, if the source of the example is
// in `part`. Removes every link whose source is in `part` and whose relation
// has an unlinked share above 0, and every other link between the same two
// nodes.
void EraseSourcePart(int part, int parts,
                     const std::vector<double>& unlinked_shares,
                     GraphData* data);

}  // namespace slice

#endif  // SLICE_TRAINER_LEARNING_TRAINING_LINKS_H_
