#include "graphstore/neighbor_list.h"

#include <algorithm>

namespace slice {

NodeId NeighborList::VisibleAt(size_t i) const {
  // hidden_[j] - j visible positions precede the j-th hidden one. That number
  // never falls with j, so a binary search finds how many hidden positions lie
  // before the answer.
  size_t low = 0;
  size_t high = hidden_.size();
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (hidden_[middle] - middle <= i) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return all_[i + low];
}

bool NeighborList::Contains(NodeId node) const {
  const auto found = std::lower_bound(all_.begin(), all_.end(), node);
  if (found == all_.end() || *found != node) return false;
  const uint32_t position = static_cast<uint32_t>(found - all_.begin());
  return !std::binary_search(hidden_.begin(), hidden_.end(), position);
}

}  // namespace slice
