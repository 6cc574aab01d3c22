#include "context/shortest_paths.h"

#include <algorithm>
#include <limits>

#include "context/neighbor_sample.h"
#include "context/strategy_nodes.h"

namespace slice {
namespace {

constexpr int kMaxPaths = 256;
constexpr size_t kMaxPartialPaths = 4096;
// A hub is asked for each node the other side knows, instead of being sampled,
// when these are few.
constexpr size_t kMaxProbes = 64;

}  // namespace

int ShortestPathSearch::Find(const GraphView& view,
                             const PathSearchLimits& limits, NodeId source,
                             NodeId target) {
  view_ = &view;
  limits_ = limits;
  Start(source, target);
  while (sides_[0].level() + sides_[1].level() < limits_.max_hops) {
    const int side = sides_[0].volume <= sides_[1].volume ? 0 : 1;
    if (sides_[side].frontier_size() == 0) break;
    FindMeetings(side);
    if (!meetings_.empty() || exhausted_) break;
    Advance(side);
  }
  if (meetings_.empty()) return -1;
  TraceBack(0);
  TraceBack(1);
  QueueMeetings();
  return length_;
}

void ShortestPathSearch::Start(NodeId source, NodeId target) {
  truncated_ = false;
  exhausted_ = false;
  arcs_left_ = limits_.max_expanded_arcs;
  meetings_.clear();
  steps_.clear();
  partial_.clear();
  queue_.clear();
  paths_found_ = 0;
  length_ = -1;
  if (marks_.size() < view_->node_count()) marks_.resize(view_->node_count());
  epoch_ += 2;
  if (epoch_ == 0) {  // wrapped: old stamps could be taken for new ones
    std::fill(marks_.begin(), marks_.end(), Mark());
    epoch_ = 2;
  }
  const NodeId ends[2] = {source, target};
  for (int side = 0; side < 2; ++side) {
    sides_[side].visited.assign(1, Visited{.node = ends[side]});
    sides_[side].level_start.assign(1, 0);
    sides_[side].volume = view_->NeighborCount(ends[side]);
    marks_[ends[side]] = {epoch_ + static_cast<uint32_t>(side), 0};
  }
}

// Looks one hop ahead of `side` for nodes the other side knows. Nothing is
// recorded of the rest: the last level is the largest, and needs no more.
void ShortestPathSearch::FindMeetings(int side) {
  const Side& here = sides_[side];
  const Side& there = sides_[1 - side];
  const uint32_t other_stamp = epoch_ + static_cast<uint32_t>(1 - side);
  const size_t limit = static_cast<size_t>(limits_.max_degree);
  for (size_t at = here.level_start.back(); at < here.visited.size(); ++at) {
    const NeighborList neighbors = view_->Neighbors(here.visited[at].node);
    const uint32_t position = static_cast<uint32_t>(at);
    if (arcs_left_ <= 0) {
      truncated_ = exhausted_ = true;
      return;
    }
    arcs_left_ -= static_cast<int64_t>(std::min(neighbors.size(), limit));
    if (neighbors.size() > limit && there.visited.size() <= kMaxProbes) {
      for (size_t i = 0; i < there.visited.size(); ++i) {
        if (neighbors.Contains(there.visited[i].node)) {
          AddMeeting(side, position, static_cast<uint32_t>(i));
        }
      }
      continue;
    }
    truncated_ |= neighbors.size() > limit;
    ForEachSampled(neighbors, limit, [&](NodeId node) {
      const Mark mark = marks_[node];
      if (mark.stamp == other_stamp) AddMeeting(side, position, mark.position);
    });
  }
}

// Keeps the meetings of the shortest length only: a hub's sample may have
// missed a node that a later look from the other end finds.
void ShortestPathSearch::AddMeeting(int side, uint32_t position,
                                    uint32_t other_position) {
  const int here = sides_[side].visited[position].level;
  const int there = sides_[1 - side].visited[other_position].level;
  const int length = here + 1 + there;
  if (length == 1) return;  // the direct link
  if (length_ >= 0 && length > length_) return;
  if (length < length_) meetings_.clear();
  length_ = length;
  Meeting meeting;
  meeting.position[side] = position;
  meeting.position[1 - side] = other_position;
  meetings_.push_back(meeting);
}

void ShortestPathSearch::Advance(int side) {
  Side& here = sides_[side];
  const size_t begin = here.level_start.back();
  const size_t end = here.visited.size();
  const int level = here.level() + 1;
  const size_t limit = static_cast<size_t>(limits_.max_degree);
  const uint32_t stamp = epoch_ + static_cast<uint32_t>(side);
  here.level_start.push_back(end);
  here.volume = 0;
  for (size_t at = begin; at < end; ++at) {
    const NeighborList neighbors = view_->Neighbors(here.visited[at].node);
    truncated_ |= neighbors.size() > limit;
    ForEachSampled(neighbors, limit, [&](NodeId node) {
      Mark& mark = marks_[node];
      if ((mark.stamp & ~1u) == epoch_) return;
      mark = {stamp, static_cast<uint32_t>(here.visited.size())};
      here.visited.push_back(Visited{.node = node, .level = level});
      here.volume += view_->NeighborCount(node);
    });
  }
}

// Finds the nodes of one side that lie on shortest paths, their parents, and
// the cheapest way from each to the side's end.
void ShortestPathSearch::TraceBack(int side) {
  Side& here = sides_[side];
  int top = 0;
  for (const Meeting& meeting : meetings_) {
    Visited& visited = here.visited[meeting.position[side]];
    visited.on_path = true;
    top = std::max(top, visited.level);
  }
  // Below level 2 the only parent is the end itself.
  for (int level = top; level >= 2; --level) CollectSteps(side, level);
  for (Visited& visited : here.visited) {
    if (!visited.on_path || visited.level == 0) continue;
    visited.cost = SpecificityCost(view_->NeighborCount(visited.node));
    int64_t nearest =
        visited.level == 1 ? 0 : std::numeric_limits<int64_t>::max();
    for (int32_t step = visited.first_step; step >= 0;
         step = steps_[step].next) {
      nearest = std::min(nearest, here.visited[steps_[step].parent].best);
    }
    visited.best = visited.cost + nearest;
  }
}

// Walks the arcs from level - 1 to `level` again, exactly as Advance did, and
// keeps those that end on a shortest path.
void ShortestPathSearch::CollectSteps(int side, int level) {
  Side& here = sides_[side];
  const uint32_t stamp = epoch_ + static_cast<uint32_t>(side);
  const size_t limit = static_cast<size_t>(limits_.max_degree);
  for (size_t at = here.level_start[level - 1]; at < here.level_start[level];
       ++at) {
    const NeighborList neighbors = view_->Neighbors(here.visited[at].node);
    ForEachSampled(neighbors, limit, [&](NodeId node) {
      const Mark mark = marks_[node];
      if (mark.stamp != stamp) return;
      Visited& child = here.visited[mark.position];
      if (child.level != level || !child.on_path) return;
      steps_.push_back({static_cast<uint32_t>(at), child.first_step});
      child.first_step = static_cast<int32_t>(steps_.size()) - 1;
      here.visited[at].on_path = true;
    });
  }
}

// Of all meetings only the best kMaxPaths can begin one of as many best paths.
void ShortestPathSearch::QueueMeetings() {
  for (const Meeting& meeting : meetings_) {
    PartialPath path;
    path.cost = 0;
    for (int side = 0; side < 2; ++side) {
      path.position[side] = meeting.position[side];
      path.cost += sides_[side].visited[meeting.position[side]].best;
    }
    path.previous = -1;
    partial_.push_back(path);
  }
  queue_.resize(partial_.size());
  for (size_t i = 0; i < queue_.size(); ++i)
    queue_[i] = static_cast<int32_t>(i);
  const auto later = [this](int32_t a, int32_t b) { return Later(a, b); };
  if (queue_.size() > kMaxPaths) {
    std::nth_element(queue_.begin(), queue_.begin() + kMaxPaths, queue_.end(),
                     [&](int32_t a, int32_t b) { return Later(b, a); });
    queue_.resize(kMaxPaths);
  }
  std::make_heap(queue_.begin(), queue_.end(), later);
}

bool ShortestPathSearch::Later(int32_t a, int32_t b) const {
  const PartialPath& x = partial_[a];
  const PartialPath& y = partial_[b];
  if (x.cost != y.cost) return x.cost > y.cost;
  for (int side = 0; side < 2; ++side) {
    const NodeId left = sides_[side].visited[x.position[side]].node;
    const NodeId right = sides_[side].visited[y.position[side]].node;
    if (left != right) return left > right;
  }
  return a > b;
}

void ShortestPathSearch::Push(const PartialPath& path) {
  partial_.push_back(path);
  queue_.push_back(static_cast<int32_t>(partial_.size()) - 1);
  std::push_heap(queue_.begin(), queue_.end(),
                 [this](int32_t a, int32_t b) { return Later(a, b); });
}

int32_t ShortestPathSearch::Pop() {
  std::pop_heap(queue_.begin(), queue_.end(),
                [this](int32_t a, int32_t b) { return Later(a, b); });
  const int32_t path = queue_.back();
  queue_.pop_back();
  return path;
}

// Replaces a partial path by its continuations one hop nearer to one end.
void ShortestPathSearch::Extend(int32_t path, int side) {
  const PartialPath from = partial_[path];
  const Side& here = sides_[side];
  const Visited& outermost = here.visited[from.position[side]];
  const int64_t inner_cost = from.cost - (outermost.best - outermost.cost);
  for (int32_t step = outermost.first_step; step >= 0;
       step = steps_[step].next) {
    const uint32_t parent = steps_[step].parent;
    PartialPath next = from;
    next.position[side] = parent;
    next.cost = inner_cost + here.visited[parent].best;
    next.previous = path;
    Push(next);
  }
}

// From the outermost nodes back to the meeting: the source side comes in order,
// the target side reversed.
void ShortestPathSearch::ListInnerNodes(int32_t path,
                                        std::vector<NodeId>& inner) {
  inner.clear();
  backwards_.clear();
  uint32_t last[2] = {0, 0};  // position 0 is the end, no inner node
  for (int32_t at = path; at >= 0; at = partial_[at].previous) {
    for (int side = 0; side < 2; ++side) {
      const uint32_t here = partial_[at].position[side];
      if (here == last[side]) continue;
      last[side] = here;
      (side == 0 ? inner : backwards_)
          .push_back(sides_[side].visited[here].node);
    }
  }
  inner.insert(inner.end(), backwards_.rbegin(), backwards_.rend());
}

bool ShortestPathSearch::Next(std::vector<NodeId>& inner) {
  const size_t most = kMaxPartialPaths + meetings_.size();
  while (!queue_.empty() && paths_found_ < kMaxPaths &&
         partial_.size() < most) {
    const int32_t path = Pop();
    const uint32_t* position = partial_[path].position;
    if (sides_[0].visited[position[0]].level >= 2) {
      Extend(path, 0);
      continue;
    }
    if (sides_[1].visited[position[1]].level >= 2) {
      Extend(path, 1);
      continue;
    }
    ++paths_found_;
    ListInnerNodes(path, inner);
    return true;
  }
  return false;
}

}  // namespace slice
