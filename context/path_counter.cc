#include "context/path_counter.h"

#include "context/node_slots.h"

namespace slice {

PathCounter::PathCounter(const GraphSnapshot& snapshot)
    : snapshot_(&snapshot), counts_(snapshot.node_count()) {}

std::span<const NodeId> PathCounter::Slot(NodeId node, int32_t relation) {
  const auto nodes = SlotNodes(*snapshot_, node, relation);
  work_ += 1 + nodes.size();
  return nodes;
}

void PathCounter::Reach(NodeId node, uint32_t times) {
  if (counts_[node] == 0) reached_.push_back(node);
  counts_[node] += times;
}

void PathCounter::StepTwice(NodeId anchor, int32_t first, int32_t second,
                            NodeId hidden) {
  for (const NodeId x : Slot(anchor, first)) {
    if (x == anchor || x == hidden) continue;
    for (const NodeId y : Slot(x, second)) {
      if (y != x) Reach(y, 1);
    }
  }
}

// Takes one more step from all nodes that two steps have reached, except from
// the anchor.
void PathCounter::StepOnce(NodeId anchor, int32_t relation) {
  std::vector<PathCount> passed;
  for (const NodeId y : reached_) {
    if (y != anchor) passed.push_back({y, counts_[y]});
    counts_[y] = 0;
  }
  reached_.clear();
  for (const auto& [y, times] : passed) {
    for (const NodeId node : Slot(y, relation)) {
      if (node != y) Reach(node, times);
    }
  }
}

// How many paths of three steps pass `node` as their first inner node and then
// end at `node`.
uint32_t PathCounter::ReturningPaths(NodeId anchor, NodeId node,
                                     const PathType& path) {
  uint32_t count = 0;
  const auto there = Slot(node, path[1]);
  const auto back = Slot(node, -path[2]);
  for (auto a = there.begin(), b = back.begin();
       a != there.end() && b != back.end();) {
    if (*a == *b) {
      count += *a != anchor && *a != node;
      ++a;
      ++b;
    } else if (*a < *b) {
      ++a;
    } else {
      ++b;
    }
  }
  return count;
}

std::span<const PathCount> PathCounter::Count(NodeId anchor,
                                              const PathType& path,
                                              NodeId hidden) {
  if (path[1] == 0) {
    for (const NodeId node : Slot(anchor, path[0])) {
      if (node != anchor) Reach(node, 1);
    }
  } else {
    StepTwice(anchor, path[0], path[1], hidden);
  }
  if (path[2] != 0 && !reached_.empty()) {
    StepOnce(anchor, path[2]);
    for (const NodeId node : Slot(anchor, path[0])) {
      if (node == anchor || node == hidden || counts_[node] == 0) continue;
      counts_[node] -= ReturningPaths(anchor, node, path);
    }
  }
  found_.clear();
  for (const NodeId node : reached_) {
    if (counts_[node] > 0) found_.push_back({node, counts_[node]});
    counts_[node] = 0;
  }
  reached_.clear();
  return found_;
}

}  // namespace slice
