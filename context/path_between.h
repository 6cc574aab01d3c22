// A path between two ends and how specific it is.
#ifndef SLICE_CONTEXT_PATH_BETWEEN_H_
#define SLICE_CONTEXT_PATH_BETWEEN_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphstore/types.h"

namespace slice {

// Paths order by cost: the most specific path is the smallest.
struct PathBetween {
  int64_t cost = 0;           // sum of SpecificityCost() over `inner`
  std::vector<NodeId> inner;  // inner nodes, from source to target

  auto operator<=>(const PathBetween&) const = default;
};

// The cost of passing a node with `degree` neighbours: log(degree + 1) in fixed
// point, so that sums are exact in any order and equal paths tie.
int64_t SpecificityCost(size_t degree);

}  // namespace slice

#endif  // SLICE_CONTEXT_PATH_BETWEEN_H_
