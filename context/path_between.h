// A path between two ends and how specific it is.
#ifndef SLICE_CONTEXT_PATH_BETWEEN_H_
#define SLICE_CONTEXT_PATH_BETWEEN_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphstore/types.h"

namespace slice {

// Paths are ordered by cost, then by nodes: the most specific path comes first.
struct PathBetween {
  int64_t cost = 0;           // sum of SpecificityCost() over `inner`
  std::vector<NodeId> inner;  // inner nodes, from source to target

  auto operator<=>(const PathBetween&) const = default;
};

// The cost of passing a node with `degree` neighbours: log(degree + 1) in fixed
// point, so that a sum does not depend on the order of its terms.
int64_t SpecificityCost(size_t degree);

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_BETWEEN_H_
