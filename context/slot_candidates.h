// The nodes that could stand in a place of a relation: those to rank when that
// end is asked for.
#ifndef SLICE_CONTEXT_SLOT_CANDIDATES_H_
#define SLICE_CONTEXT_SLOT_CANDIDATES_H_

#include <span>
#include <vector>

#include "graphstore/graph_snapshot.h"
#include "graphstore/types.h"

namespace slice {

// The types of the nodes that the graph has in the place asked for, ascending:
// of the targets of `relation` for Direction::kOut, of its sources for kIn.
std::vector<NodeTypeId> SlotTypes(const GraphSnapshot& snapshot,
                                  RelationId relation, Direction asked);

// The nodes of these types, ascending; all nodes when there is no type.
std::vector<NodeId> NodesOfTypes(const GraphSnapshot& snapshot,
                                 std::span<const NodeTypeId> types);

// Both: nodes that no link of the relation uses yet are candidates too. O(nodes
// of the graph).
std::vector<NodeId> SlotCandidates(const GraphSnapshot& snapshot,
                                   RelationId relation, Direction asked);

}  // namespace slice

#endif  // SLICE_CONTEXT_SLOT_CANDIDATES_H_
