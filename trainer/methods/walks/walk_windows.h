// Windows of walks: what skip-gram with negative sampling learns from.
#ifndef SLICE_TRAINER_METHODS_WALKS_WALK_WINDOWS_H_
#define SLICE_TRAINER_METHODS_WALKS_WALK_WINDOWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "graphstore/types.h"

namespace slice {

// Windows: each has a centre, the nodes around it on a walk (its context), and
// noise nodes.
struct WalkWindows {
  size_t windows() const { return centres.size(); }
  // The context nodes of a window, and then its noise nodes.
  std::span<const NodeId> NodesOf(size_t window) const {
    return std::span(nodes).subspan(begins[window],
                                    begins[window + 1] - begins[window]);
  }
  // The window of each entry of `nodes`.
  std::vector<uint32_t> WindowOfNodes() const {
    std::vector<uint32_t> window_of(nodes.size());
    for (size_t window = 0; window < windows(); ++window) {
      std::fill(window_of.begin() + begins[window],
                window_of.begin() + begins[window + 1],
                static_cast<uint32_t>(window));
    }
    return window_of;
  }
  // Of all windows.
  uint64_t Contexts() const {
    return std::accumulate(context_counts.begin(), context_counts.end(),
                           uint64_t{0});
  }

  std::vector<uint32_t> centres;         // [windows]
  std::vector<uint32_t> context_counts;  // [windows], each above 0
  std::vector<uint32_t> begins = {0};    // [windows + 1], in `nodes`
  std::vector<NodeId> nodes;
};

struct WindowSize {
  size_t reach = 0;      // context nodes on either side
  size_t negatives = 0;  // noise nodes for each context node
};

// Adds the window around walk[at], whose centre is stored as `centre`.
// draw(context) draws a noise node; one that is in the window is left out.
// REQUIRES: the walk has two nodes or more.
template <typename Draw>
void AddWindow(std::span<const NodeId> walk, size_t at, uint32_t centre,
               const WindowSize& size, Draw draw, WalkWindows& to) {
  const size_t begin = at - std::min(at, size.reach);
  const size_t end = std::min(walk.size(), at + size.reach + 1);
  const auto here = walk.subspan(begin, end - begin);
  to.centres.push_back(centre);
  to.context_counts.push_back(static_cast<uint32_t>(here.size() - 1));
  for (size_t i = begin; i < end; ++i) {
    if (i != at) to.nodes.push_back(walk[i]);
  }
  for (size_t i = begin; i < end; ++i) {
    for (size_t k = 0; i != at && k < size.negatives; ++k) {
      const NodeId node = draw(walk[i]);
      if (std::find(here.begin(), here.end(), node) == here.end()) {
        to.nodes.push_back(node);
      }
    }
  }
  to.begins.push_back(static_cast<uint32_t>(to.nodes.size()));
}

}  // namespace slice

#endif  // SLICE_TRAINER_METHODS_WALKS_WALK_WINDOWS_H_
