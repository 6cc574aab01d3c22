#include "context/shortest_paths.h"

#include <algorithm>
#include <functional>
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
// How many nodes ahead neighbours are asked for.
constexpr size_t kPrefetchDistance = 16;

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

int ShortestPathSearch::Side::LevelOf(uint32_t position) const {
  int level = this->level();
  // As a rule it is the last one.
  while (position < level_start[level]) --level;
  return level;
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
  const size_t node_count = view_->node_count();
  if (positions_.size() < node_count) positions_.resize(node_count);
  wanted_.Reserve(node_count);
  const NodeId ends[2] = {source, target};
  for (int i = 0; i < 2; ++i) {
    Side& side = sides_[i];
    for (const NodeId node : side.nodes) side.seen.EraseNear(node);
    side.on_path.Reserve(side.nodes.size());
    for (size_t at = 0; at < side.nodes.size(); at += 64) {
      side.on_path.EraseNear(at);
    }
    side.nodes.assign(1, ends[i]);
    side.level_start.assign(1, 0);
    side.volume = view_->NeighborCount(ends[i]);
    side.seen.Reserve(node_count);
    side.seen.Insert(ends[i]);
    positions_[ends[i]] = 0;
  }
}

template <typename Wanted>
size_t ShortestPathSearch::Gather(const NeighborList& neighbors,
                                  Wanted wanted) {
  const size_t limit = static_cast<size_t>(limits_.max_degree);
  const size_t most = std::min(neighbors.size(), limit) + 1;
  if (gathered_.size() < most) gathered_.resize(most);
  return GatherSampled(neighbors, limit, wanted, gathered_.data());
}

void ShortestPathSearch::PrefetchAhead(const Side& side,
                                       size_t position) const {
  const size_t ahead = position + kPrefetchDistance;
  if (ahead >= side.nodes.size()) return;
  view_->snapshot().neighbor_rows().Prefetch(side.nodes[ahead]);
}

// Looks one hop ahead of `side` for nodes the other side knows. Nothing is
// recorded of the rest: the last level is the largest, and needs no more.
void ShortestPathSearch::FindMeetings(int side) {
  const Side& here = sides_[side];
  const Side& there = sides_[1 - side];
  const size_t limit = static_cast<size_t>(limits_.max_degree);
  const NodeBits::Reader seen(there.seen);
  looking_side_ = side;
  for (size_t at = here.level_start.back(); at < here.nodes.size(); ++at) {
    PrefetchAhead(here, at);
    const NeighborList neighbors = view_->Neighbors(here.nodes[at]);
    const uint32_t position = static_cast<uint32_t>(at);
    if (arcs_left_ <= 0) {
      truncated_ = exhausted_ = true;
      return;
    }
    arcs_left_ -= static_cast<int64_t>(std::min(neighbors.size(), limit));
    if (neighbors.size() > limit && there.nodes.size() <= kMaxProbes) {
      for (size_t i = 0; i < there.nodes.size(); ++i) {
        if (view_->AreNeighbors(here.nodes[at], there.nodes[i])) {
          AddMeeting(side, position, static_cast<uint32_t>(i));
        }
      }
      continue;
    }
    truncated_ |= neighbors.size() > limit;
    const size_t count =
        Gather(neighbors, [seen](NodeId node) { return seen.Contains(node); });
    for (size_t i = 0; i < count; ++i) {
      AddMeeting(side, position, positions_[gathered_[i]]);
    }
  }
}

// Keeps the meetings of the shortest length only: a hub's sample may have
// missed a node that a later look from the other end finds.
void ShortestPathSearch::AddMeeting(int side, uint32_t position,
                                    uint32_t other_position) {
  // Whoever looks ahead is at the last level.
  const int here = sides_[side].level();
  const int there = sides_[1 - side].LevelOf(other_position);
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
  const Side& there = sides_[1 - side];
  const size_t begin = here.level_start.back();
  const size_t end = here.nodes.size();
  const size_t limit = static_cast<size_t>(limits_.max_degree);
  const NodeBits::Reader seen(here.seen);
  const NodeBits::Reader seen_there(there.seen);
  const NeighborRows& rows = view_->snapshot().neighbor_rows();
  here.level_start.push_back(end);
  for (size_t at = begin; at < end; ++at) {
    PrefetchAhead(here, at);
    const NeighborList neighbors = view_->Neighbors(here.nodes[at]);
    truncated_ |= neighbors.size() > limit;
    const size_t count = Gather(neighbors, [seen, seen_there](NodeId node) {
      return !seen.Contains(node) & !seen_there.Contains(node);
    });
    const size_t known = here.nodes.size();
    here.nodes.insert(here.nodes.end(), gathered_.begin(),
                      gathered_.begin() + count);
    for (size_t i = known; i < known + count; ++i) {
      const NodeId node = here.nodes[i];
      here.seen.Insert(node);
      positions_[node] = static_cast<uint32_t>(i);
      rows.PrefetchStart(node);
    }
  }
  here.volume = 0;
  for (size_t at = end; at < here.nodes.size(); ++at) {
    here.volume += view_->NeighborCount(here.nodes[at]);
  }
}

void ShortestPathSearch::PutOnPath(Side& side, uint32_t position) {
  if (side.on_path.Contains(position)) return;
  side.on_path.Insert(position);
  side.traces[position] = Trace();
}

// Finds the nodes of one side that lie on shortest paths, their parents, and
// the cheapest way from each to the side's end.
void ShortestPathSearch::TraceBack(int side) {
  Side& here = sides_[side];
  here.on_path.Reserve(here.nodes.size());
  if (here.traces.size() < here.nodes.size()) {
    here.traces.resize(here.nodes.size());
  }
  for (const Meeting& meeting : meetings_) {
    PutOnPath(here, meeting.position[side]);
  }
  // All meetings are of one length.
  const int looking_level = sides_[looking_side_].level();
  const int top =
      side == looking_side_ ? looking_level : length_ - 1 - looking_level;
  // Below level 2 the only parent is the end itself.
  for (int level = top; level >= 2; --level) CollectSteps(side, level);
  here.on_path.ForEachBelow(here.nodes.size(), [&](size_t position) {
    if (position == 0) return;  // the end
    Trace& trace = here.traces[position];
    trace.cost = SpecificityCost(view_->NeighborCount(here.nodes[position]));
    int64_t nearest = here.IsFar(static_cast<uint32_t>(position))
                          ? std::numeric_limits<int64_t>::max()
                          : 0;
    for (int32_t step = trace.first_step; step >= 0; step = steps_[step].next) {
      nearest = std::min(nearest, here.traces[steps_[step].parent].best);
    }
    trace.best = trace.cost + nearest;
  });
}

// Walks the arcs from level - 1 to `level` again, exactly as Advance did, and
// keeps those that end on a shortest path.
void ShortestPathSearch::CollectSteps(int side, int level) {
  Side& here = sides_[side];
  const size_t begin = here.level_start[level];
  const size_t end =
      level < here.level() ? here.level_start[level + 1] : here.nodes.size();
  for (size_t at = begin; at < end; ++at) {
    if (here.on_path.Contains(at)) wanted_.Insert(here.nodes[at]);
  }
  const NodeBits::Reader wanted(wanted_);
  for (size_t at = here.level_start[level - 1]; at < begin; ++at) {
    const size_t count =
        Gather(view_->Neighbors(here.nodes[at]),
               [wanted](NodeId node) { return wanted.Contains(node); });
    if (count > 0) PutOnPath(here, static_cast<uint32_t>(at));
    for (size_t i = 0; i < count; ++i) {
      Trace& child = here.traces[positions_[gathered_[i]]];
      steps_.push_back({static_cast<uint32_t>(at), child.first_step});
      child.first_step = static_cast<int32_t>(steps_.size()) - 1;
    }
  }
  for (size_t at = begin; at < end; ++at) wanted_.EraseNear(here.nodes[at]);
}

ShortestPathSearch::Queued ShortestPathSearch::Queue(int32_t path) const {
  const PartialPath& from = partial_[path];
  const uint64_t source_side = sides_[0].nodes[from.position[0]];
  return {from.cost, (source_side << 32) | sides_[1].nodes[from.position[1]],
          path};
}

// Of all meetings only the best kMaxPaths can begin one of as many best paths.
void ShortestPathSearch::QueueMeetings() {
  partial_.resize(meetings_.size());
  queue_.resize(meetings_.size());
  for (size_t i = 0; i < meetings_.size(); ++i) {
    const auto [source_side, target_side] = meetings_[i].position;
    PartialPath& path = partial_[i];
    path.cost =
        sides_[0].traces[source_side].best + sides_[1].traces[target_side].best;
    path.position[0] = source_side;
    path.position[1] = target_side;
    path.previous = -1;
    queue_[i] = Queue(static_cast<int32_t>(i));
  }
  if (queue_.size() > kMaxPaths) {
    std::nth_element(queue_.begin(), queue_.begin() + kMaxPaths, queue_.end(),
                     [](const Queued& a, const Queued& b) { return b > a; });
    queue_.resize(kMaxPaths);
  }
  std::make_heap(queue_.begin(), queue_.end(), std::greater<>());
}

int32_t ShortestPathSearch::Pop() {
  std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
  const int32_t path = queue_.back().path;
  queue_.pop_back();
  return path;
}

// Replaces a partial path by its continuations one hop nearer to one end.
void ShortestPathSearch::Extend(int32_t path, int side) {
  const PartialPath from = partial_[path];
  const std::vector<Trace>& traces = sides_[side].traces;
  const Trace& outermost = traces[from.position[side]];
  const int64_t inner_cost = from.cost - (outermost.best - outermost.cost);
  for (int32_t step = outermost.first_step; step >= 0;
       step = steps_[step].next) {
    const uint32_t parent = steps_[step].parent;
    PartialPath next = from;
    next.position[side] = parent;
    next.cost = inner_cost + traces[parent].best;
    next.previous = path;
    partial_.push_back(next);
    queue_.push_back(Queue(static_cast<int32_t>(partial_.size()) - 1));
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
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
      (side == 0 ? inner : backwards_).push_back(sides_[side].nodes[here]);
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
    if (sides_[0].IsFar(position[0])) {
      Extend(path, 0);
      continue;
    }
    if (sides_[1].IsFar(position[1])) {
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
