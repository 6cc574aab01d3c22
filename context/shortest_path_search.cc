// Finds all shortest paths between two nodes.
//
//   1. Grow two sides breadth-first, one level at a time, always the side that
//      has fewer arcs ahead (Advance). Before a side grows, look one hop ahead
//      for nodes that the other side has seen (FindMeetings). So the last
//      level, which would be the largest, is never recorded.
//   2. Keep the meetings of the shortest length. Each is a pair of adjacent
//      nodes, one of each side.
//   3. Trace back from the meetings to both ends: walk the arcs between two
//      levels again and keep those that lie on a shortest path (TraceBack). Sum
//      up the cost of the cheapest way of each node to its end.
//   4. ShortestPathOrder lists the paths, the cheapest first.
//
// A hub is sampled only once per search, so that step 3 walks the same arcs as
// step 1. Sets of nodes have one bit per node. They are erased node by node
// before the next search, so that a search takes no time in proportion to the
// graph.
#include "context/shortest_path_search.h"

#include <algorithm>
#include <limits>
#include <span>

#include "context/neighbor_sample.h"
#include "context/path_between.h"
#include "context/row_filter.h"

namespace slice {
namespace {

// When the other side has seen at most this many nodes, each of them is looked
// up among the neighbours of a hub. Otherwise only a sample of the hub is
// visited.
constexpr size_t kMaxProbes = 64;
// How many nodes ahead rows of neighbours are prefetched.
constexpr size_t kPrefetchDistance = 16;

}  // namespace

int ShortestPathSearch::Find(const GraphView& view,
                             const PathSearchLimits& limits, NodeId source,
                             NodeId target) {
  view_ = &view;
  limits_ = limits;
  Start(source, target);
  while (found_.sides[0].level() + found_.sides[1].level() < limits_.max_hops) {
    const int side = CheaperSide();
    if (found_.sides[side].frontier_size() == 0) break;
    FindMeetings(side);
    if (!found_.meetings.empty() || exhausted_) break;
    Advance(side);
  }
  if (found_.meetings.empty()) return -1;
  TraceBack(0);
  TraceBack(1);
  order_.Rank(found_);
  return length_;
}

void ShortestPathSearch::Start(NodeId source, NodeId target) {
  truncated_ = false;
  exhausted_ = false;
  arcs_left_ = limits_.max_expanded_arcs;
  found_.meetings.clear();
  found_.steps.clear();
  samples_.clear();
  hub_samples_.clear();
  order_.Clear();
  length_ = -1;
  const size_t node_count = view_->node_count();
  if (positions_.size() < node_count) positions_.resize(node_count);
  wanted_.Reserve(node_count);
  const NodeId ends[2] = {source, target};
  for (int i = 0; i < 2; ++i) {
    Side& side = found_.sides[i];
    for (const NodeId node : side.nodes) side.seen.EraseNear(node);
    for (const uint32_t position : side.trail) side.on_path.EraseNear(position);
    side.trail.clear();
    side.nodes.assign(1, ends[i]);
    side.level_start.assign(1, 0);
    side.volume = view_->NeighborCount(ends[i]);
    side.counted = 1;
    side.seen.Reserve(node_count);
    side.seen.Insert(ends[i]);
    positions_[ends[i]] = 0;
  }
}

// Counts only as many arcs as the comparison of the sides needs, because a
// level behind a hub has many nodes.
int ShortestPathSearch::CheaperSide() {
  while (true) {
    const int side = found_.sides[0].volume <= found_.sides[1].volume ? 0 : 1;
    if (found_.sides[side].counted == found_.sides[side].nodes.size())
      return side;
    CountArcs(side);
  }
}

// Counts arcs of the last level of `side` until they exceed the arcs counted on
// the other side, or until all are counted.
void ShortestPathSearch::CountArcs(int side) {
  const GraphView& view = *view_;
  Side& here = found_.sides[side];
  const std::span<const NodeId> nodes = here.nodes;
  const uint64_t enough = found_.sides[1 - side].volume + 1 - side;
  uint64_t volume = here.volume;
  size_t counted = here.counted;
  do {
    volume += view.NeighborCount(nodes[counted++]) - 1;
  } while (volume < enough && counted < nodes.size());
  here.volume = volume;
  here.counted = counted;
}

std::span<const NodeId> ShortestPathSearch::Sample(NodeId node) {
  const size_t limit = static_cast<size_t>(limits_.max_degree);
  if (view_->HasAllArcs(node)) {
    const auto row = view_->snapshot().DistinctNeighbors(node);
    if (row.size() <= limit) return row;
  }
  for (const HubSample& hub : hub_samples_) {
    if (hub.node == node) return {samples_.data() + hub.begin, limit};
  }
  const NeighborList neighbors = view_->Neighbors(node);
  const size_t begin = samples_.size();
  samples_.resize(begin + std::min(neighbors.size(), limit));
  NodeId* to = samples_.data() + begin;
  ForEachSampled(neighbors, limit, [&to](NodeId other) { *to++ = other; });
  if (neighbors.size() <= limit) {
    return {samples_.data() + begin, neighbors.size()};
  }
  truncated_ = true;
  hub_samples_.push_back({node, begin});
  return {samples_.data() + begin, limit};
}

NodeId* ShortestPathSearch::RoomFor(std::span<const NodeId> row) {
  const size_t most = row.size() + kRowFilterSlack;
  if (gathered_.size() < most) gathered_.resize(most);
  return gathered_.data();
}

void ShortestPathSearch::PrefetchAhead(const Side& side,
                                       size_t position) const {
  const NeighborRows& rows = view_->snapshot().neighbor_rows();
  const size_t first = position == side.level_start.back()
                           ? position
                           : position + kPrefetchDistance;
  const size_t end =
      std::min(position + kPrefetchDistance + 1, side.nodes.size());
  for (size_t ahead = first; ahead < end; ++ahead) {
    rows.Prefetch(side.nodes[ahead]);
  }
}

// Adds a meeting unless its paths are longer than those of the meetings kept.
// If they are shorter, the meetings kept are dropped. Lengths differ because
// the sample of a hub may have missed a node that the other side finds later.
inline void ShortestPathSearch::AddMeeting(int side, uint32_t position,
                                           uint32_t other_position) {
  if (other_position < meeting_begin_ && !Shorten(side, other_position)) return;
  if (other_position >= meeting_end_) return;
  ShortestPaths::Meeting& meeting = found_.meetings.emplace_back();
  meeting.position[side] = position;
  meeting.position[1 - side] = other_position;
}

bool ShortestPathSearch::Shorten(int side, uint32_t other_position) {
  const Side& there = found_.sides[1 - side];
  const int level = there.LevelOf(other_position);
  // The node that looks ahead is at the last level of its side.
  const int length = found_.sides[side].level() + 1 + level;
  if (length == 1) return false;  // the direct link
  found_.meetings.clear();
  length_ = length;
  meeting_begin_ = there.level_start[level];
  meeting_end_ = there.LevelEnd(level);
  return true;
}

// Looks one hop ahead of `side` for nodes that the other side has seen, and
// records a meeting for each.
void ShortestPathSearch::FindMeetings(int side) {
  const Side& here = found_.sides[side];
  const Side& there = found_.sides[1 - side];
  const size_t limit = static_cast<size_t>(limits_.max_degree);
  looking_side_ = side;
  // The first meeting sets the length.
  meeting_begin_ = meeting_end_ = there.nodes.size();
  for (size_t at = here.level_start.back(); at < here.nodes.size(); ++at) {
    PrefetchAhead(here, at);
    const uint32_t position = static_cast<uint32_t>(at);
    const size_t degree = view_->NeighborCount(here.nodes[at]);
    if (arcs_left_ <= 0) {
      truncated_ = exhausted_ = true;
      return;
    }
    arcs_left_ -= static_cast<int64_t>(std::min(degree, limit));
    // Two ends that have not grown could only meet by the direct link.
    if (there.nodes.size() == 1 && at == 0) return;
    if (degree > limit && there.nodes.size() <= kMaxProbes) {
      ProbeHub(side, position);
      continue;
    }
    const auto row = Sample(here.nodes[at]);
    const size_t count = KeepNodesIn(there.seen, row, RoomFor(row));
    for (size_t i = 0; i < count; ++i) {
      AddMeeting(side, position, positions_[gathered_[i]]);
    }
  }
}

void ShortestPathSearch::ProbeHub(int side, uint32_t position) {
  const NodeId hub = found_.sides[side].nodes[position];
  const std::vector<NodeId>& there = found_.sides[1 - side].nodes;
  for (size_t i = 0; i < there.size(); ++i) {
    if (view_->AreNeighbors(hub, there[i])) {
      AddMeeting(side, position, static_cast<uint32_t>(i));
    }
  }
}

void ShortestPathSearch::Advance(int side) {
  Side& here = found_.sides[side];
  const size_t begin = here.level_start.back();
  const size_t end = here.nodes.size();
  const Side& there = found_.sides[1 - side];
  here.level_start.push_back(end);
  for (size_t at = begin; at < end; ++at) {
    const auto row = Sample(here.nodes[at]);
    const size_t count =
        KeepNodesInNeither(here.seen, there.seen, row, RoomFor(row));
    const size_t known = here.nodes.size();
    here.nodes.insert(here.nodes.end(), gathered_.begin(),
                      gathered_.begin() + static_cast<ptrdiff_t>(count));
    for (size_t i = 0; i < count; ++i) {
      const NodeId node = gathered_[i];
      here.seen.Insert(node);
      positions_[node] = static_cast<uint32_t>(known + i);
    }
  }
  here.volume = here.frontier_size();
  here.counted = end;
}

void ShortestPathSearch::PutOnPath(Side& side, uint32_t position) {
  if (side.on_path.Contains(position)) return;
  side.on_path.Insert(position);
  side.trail.push_back(position);
  side.traces[position] = PathTrace();
}

// Finds the nodes of one side that lie on shortest paths, their parents, and
// the cheapest way from each to the side's end.
void ShortestPathSearch::TraceBack(int side) {
  Side& here = found_.sides[side];
  here.on_path.Reserve(here.nodes.size());
  if (here.traces.size() < here.nodes.size()) {
    here.traces.resize(here.nodes.size());
  }
  for (const ShortestPaths::Meeting& meeting : found_.meetings) {
    PutOnPath(here, meeting.position[side]);
  }
  // All meetings are of one length.
  const int looking_level = found_.sides[looking_side_].level();
  const int top =
      side == looking_side_ ? looking_level : length_ - 1 - looking_level;
  // A node of level 1 has no parent but the end itself.
  size_t begin = 0;
  for (int level = top; level >= 2; --level) {
    const size_t end = here.trail.size();
    CollectSteps(side, level, begin, end);
    begin = end;
  }
  for (size_t i = here.trail.size(); i-- > 0;) {
    const uint32_t position = here.trail[i];
    if (position == 0) continue;  // the end
    PathTrace& trace = here.traces[position];
    trace.cost = SpecificityCost(view_->NeighborCount(here.nodes[position]));
    int64_t nearest =
        here.IsFar(position) ? std::numeric_limits<int64_t>::max() : 0;
    for (int32_t step = trace.first_step; step >= 0;
         step = found_.steps[step].next) {
      nearest = std::min(nearest, here.traces[found_.steps[step].parent].best);
    }
    trace.best = trace.cost + nearest;
  }
}

// Walks the arcs from level - 1 to `level` again, exactly as Advance() did, and
// keeps those that lead to trail[begin..end), the nodes of `level` on shortest
// paths.
void ShortestPathSearch::CollectSteps(int side, int level, size_t begin,
                                      size_t end) {
  Side& here = found_.sides[side];
  for (size_t i = begin; i < end; ++i) {
    wanted_.Insert(here.nodes[here.trail[i]]);
  }
  const size_t parents_end = here.level_start[level];
  for (size_t at = here.level_start[level - 1]; at < parents_end; ++at) {
    const auto row = Sample(here.nodes[at]);
    const size_t count = KeepNodesIn(wanted_, row, RoomFor(row));
    if (count > 0) PutOnPath(here, static_cast<uint32_t>(at));
    for (size_t i = 0; i < count; ++i) {
      PathTrace& child = here.traces[positions_[gathered_[i]]];
      found_.steps.push_back({static_cast<uint32_t>(at), child.first_step});
      child.first_step = static_cast<int32_t>(found_.steps.size()) - 1;
    }
  }
  for (size_t i = begin; i < end; ++i) {
    wanted_.EraseNear(here.nodes[here.trail[i]]);
  }
}

}  // namespace slice
