// A graph without node types whose nodes are of two kinds all the same.
#ifndef SLICE_TESTS_TESTING_TWO_KINDS_GRAPH_H_
#define SLICE_TESTS_TESTING_TWO_KINDS_GRAPH_H_

#include <memory>

#include "graphstore/graph_data.h"
#include "graphstore/graph_snapshot.h"

namespace slice {

inline constexpr NodeId kPeople = 40;  // the nodes from 0 on
inline constexpr NodeId kPlaces = 20;  // the nodes behind them

// The relations: knows (0) joins people, born_in (1) leads from people to
// places, part_of (2) joins places. Every person and place fills both of its
// slots of knows and part_of; the last node, "lonely", has no link.
GraphData TwoKindsData();
std::shared_ptr<const GraphSnapshot> TwoKindsGraph();

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_TWO_KINDS_GRAPH_H_
