// Compares all rows of two graphs.
#ifndef SLICE_TESTS_TESTING_ROW_DIFFERENCE_H_
#define SLICE_TESTS_TESTING_ROW_DIFFERENCE_H_

#include <string>

#include "graphstore/graph_snapshot.h"

namespace slice {

// Where the arcs, slots, neighbours, weights or self loops of a node differ;
// empty when the graphs are the same.
std::string RowDifference(const GraphSnapshot& graph,
                          const GraphSnapshot& expected);

}  // namespace slice

#endif  // SLICE_TESTS_TESTING_ROW_DIFFERENCE_H_
