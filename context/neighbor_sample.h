// Visits all neighbours of a node, or a bounded sample of them when it is a
// hub.
#ifndef SLICE_CONTEXT_NEIGHBOR_SAMPLE_H_
#define SLICE_CONTEXT_NEIGHBOR_SAMPLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/random.h"
#include "graphstore/graph_view.h"

namespace slice {

// In a sample of at most `limit` of `size` elements, how many elements each
// sampled one represents.
inline double Stride(size_t size, size_t limit) {
  return size <= limit ? 1.0
                       : static_cast<double>(size) / static_cast<double>(limit);
}

// Calls visit(position) for every position below `size`. If `size` is above
// `limit`, calls it instead for `limit` positions at even distances, a strided
// sample: floor(i * size / limit) with each i below `limit`. The loop needs no
// division per step.
template <typename Visit>
void ForEachStrided(size_t size, size_t limit, Visit visit) {
  const size_t taken = std::min(size, limit);
  if (taken == 0) return;
  const size_t whole = size / taken;
  const size_t part = size % taken;
  size_t position = 0;
  size_t remainder = 0;
  for (size_t i = 0; i < taken; ++i) {
    visit(position);
    position += whole;
    remainder += part;
    if (remainder >= taken) {
      remainder -= taken;
      ++position;
    }
  }
}

// Calls visit(NodeId) for every neighbour. If there are more than `limit`,
// calls it for those at the positions of ForEachStrided(). Positions count
// visible neighbours, so a graph rebuilt without the hidden links gives the
// same sample.
template <typename Visit>
void ForEachSampled(const NeighborList& neighbors, size_t limit, Visit visit) {
  const size_t size = neighbors.size();
  if (size <= limit) {
    neighbors.ForEach(visit);
    return;
  }
  const std::span<const NodeId> row = neighbors.WholeRow();
  if (!row.empty()) {
    ForEachStrided(size, limit, [&](size_t at) { visit(row[at]); });
  } else {
    ForEachStrided(size, limit, [&](size_t at) { visit(neighbors[at]); });
  }
}

// Writes to `to` those nodes of ForEachSampled() for which wanted(NodeId) is
// true, and returns their number. REQUIRES: `to` has room for one node more
// than ForEachSampled() visits. The loop has no branch on wanted(): few nodes
// are wanted, and a processor could not predict which.
template <typename Wanted>
size_t GatherSampled(const NeighborList& neighbors, size_t limit, Wanted wanted,
                     NodeId* to) {
  size_t count = 0;
  const std::span<const NodeId> row = neighbors.WholeRow();
  if (!row.empty() && row.size() <= limit) {
    for (const NodeId node : row) {
      to[count] = node;
      count += wanted(node) ? 1 : 0;
    }
    return count;
  }
  ForEachSampled(neighbors, limit, [&](NodeId node) {
    to[count] = node;
    count += wanted(node) ? 1 : 0;
  });
  return count;
}

// Draws `count` neighbours without replacement, or all if there are fewer, and
// calls visit(NodeId) for each as it is drawn. O(count^2): for small counts.
template <typename Visit>
void ForEachDrawn(const NeighborList& neighbors, size_t count, Random& random,
                  Visit visit) {
  const size_t size = neighbors.size();
  count = std::min(size, count);
  std::vector<size_t> drawn;
  while (drawn.size() < count) {
    const size_t position = random.Below(static_cast<uint32_t>(size));
    if (std::find(drawn.begin(), drawn.end(), position) != drawn.end()) {
      continue;
    }
    drawn.push_back(position);
    visit(neighbors[position]);
  }
}

}  // namespace slice

#endif  // SLICE_CONTEXT_NEIGHBOR_SAMPLE_H_
