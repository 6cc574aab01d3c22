// The candidates for the answer to a question (EndQuestion): the nodes that
// could be the wanted end of a link of a relation.
#ifndef SLICE_CONTEXT_SLOT_CANDIDATES_H_
#define SLICE_CONTEXT_SLOT_CANDIDATES_H_

#include <span>
#include <vector>

#include "context/end_question.h"
#include "graphstore/graph_snapshot.h"
#include "graphstore/types.h"

namespace slice {

// The types of the nodes that are the wanted end of some link of `relation`,
// ascending. Direction::kOut: the types of its targets; kIn: of its sources.
std::vector<NodeTypeId> SlotTypes(const GraphSnapshot& snapshot,
                                  RelationId relation, Direction wanted_end);

// The nodes of any of `types`, ascending; all nodes when `types` is empty.
std::vector<NodeId> NodesOfTypes(const GraphSnapshot& snapshot,
                                 std::span<const NodeTypeId> types);

// The nodes whose type is one of SlotTypes(). Such a node is a candidate even
// if it has no link of the relation yet. O(nodes of the graph).
std::vector<NodeId> SlotCandidates(const GraphSnapshot& snapshot,
                                   RelationId relation, Direction wanted_end);

// Erases the nodes that do not fit the wanted end by the schema. In a graph
// without types these are nodes of another kind, which their links tell.
void EraseUnfit(const GraphSnapshot& snapshot, const RelationSchema& schema,
                RelationId relation, Direction wanted_end,
                std::vector<NodeId>& candidates);

// Erases the nodes that already answer `question`: those that a link of its
// relation joins to the known end.
void EraseLinked(const GraphSnapshot& snapshot, const EndQuestion& question,
                 std::vector<NodeId>& candidates);

}  // namespace slice

#endif  // SLICE_CONTEXT_SLOT_CANDIDATES_H_
