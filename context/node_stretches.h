// Splits a list of nodes into stretches whose rows lie next to each other in a
// table.
#ifndef SLICE_CONTEXT_NODE_STRETCHES_H_
#define SLICE_CONTEXT_NODE_STRETCHES_H_

#include <cmath>
#include <cstddef>
#include <span>

#include "graphstore/types.h"

namespace slice {

// The most nodes of a stretch.
inline constexpr size_t kStretch = 256;

// A table has rows of the nodes below `known`. Calls stretch(begin, count) for
// each run of consecutive ids, at positions [begin, begin + count) of `nodes`,
// and missing(position) for each node without a row.
template <typename Stretch, typename Missing>
void ForEachStretch(std::span<const NodeId> nodes, size_t known,
                    Stretch stretch, Missing missing) {
  for (size_t begin = 0, end = 0; begin < nodes.size(); begin = end) {
    const NodeId first = nodes[begin];
    end = begin + 1;
    if (first >= known) {
      missing(begin);
      continue;
    }
    while (end < nodes.size() && end - begin < kStretch &&
           nodes[end] == first + (end - begin) && nodes[end] < known) {
      ++end;
    }
    stretch(begin, end - begin);
  }
}

// A dot product over the root of the product of two squared norms; 0 where one
// of them is 0.
inline float OverRoot(float product, float squares) {
  return squares > 0 ? product / std::sqrt(squares) : 0;
}

}  // namespace slice

#endif  // SLICE_CONTEXT_NODE_STRETCHES_H_
