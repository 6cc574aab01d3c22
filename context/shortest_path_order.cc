// Lists shortest paths, the best first.
//
// A queue holds partial paths by the cost of their cheapest completion. At
// first these are the meetings (ShortestPaths). The cheapest partial path is
// taken out of the queue again and again. If it reaches both ends, it is the
// next path; otherwise its continuations by one hop towards one end enter the
// queue. Costs of completions are exact, so paths come out in order, and the
// search does no more work than the listed paths need.
//
// Only the cheapest kMaxPaths meetings are kept, and they enter the queue in
// portions, because a context takes few of the paths.
#include "context/shortest_path_order.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace slice {
namespace {

constexpr int kMaxPaths = 256;
constexpr size_t kMaxPartialPaths = 4096;
constexpr size_t kMeetingsQueued = 16;  // size of a portion

}  // namespace

void ShortestPathOrder::Clear() {
  ranked_.clear();
  ranked_end_ = 0;
  partial_.clear();
  queue_.clear();
  paths_listed_ = 0;
}

ShortestPathOrder::PartialPath ShortestPathOrder::PathOf(
    const ShortestPaths& paths, int32_t path) const {
  const size_t at = static_cast<size_t>(path);
  if (at >= paths.meetings.size()) return partial_[at - paths.meetings.size()];
  const auto [source_side, target_side] = paths.meetings[at].position;
  return {paths.sides[0].traces[source_side].best +
              paths.sides[1].traces[target_side].best,
          {source_side, target_side},
          -1};
}

ShortestPathOrder::Queued ShortestPathOrder::QueuedOf(
    const ShortestPaths& paths, int32_t path) const {
  const PartialPath from = PathOf(paths, path);
  const uint64_t source_side = paths.sides[0].nodes[from.position[0]];
  return {from.cost,
          (source_side << 32) | paths.sides[1].nodes[from.position[1]], path};
}

// The kMaxPaths cheapest paths begin at the kMaxPaths cheapest meetings, so the
// other meetings are dropped.
void ShortestPathOrder::Rank(const ShortestPaths& paths) {
  ranked_.resize(paths.meetings.size());
  for (size_t i = 0; i < paths.meetings.size(); ++i) {
    const uint32_t* position = paths.meetings[i].position;
    const int64_t cost = paths.sides[0].traces[position[0]].best +
                         paths.sides[1].traces[position[1]].best;
    // A cost is below 2^32: 15 nodes of 2^32 neighbours cost less than 2^29.
    ranked_[i] = (static_cast<uint64_t>(cost) << 32) | i;
  }
  if (ranked_.size() <= kMaxPaths) return;
  std::nth_element(ranked_.begin(), ranked_.begin() + kMaxPaths, ranked_.end(),
                   [&](uint64_t a, uint64_t b) {
                     if ((a >> 32) != (b >> 32)) return a < b;
                     return QueuedOf(paths, static_cast<int32_t>(b)) >
                            QueuedOf(paths, static_cast<int32_t>(a));
                   });
  ranked_.resize(kMaxPaths);
}

// Puts the next cheapest meetings into the queue: a portion, and all further
// meetings that cost as much as the last one of the portion.
void ShortestPathOrder::QueueMeetings(const ShortestPaths& paths) {
  const auto begin = ranked_.begin() + static_cast<ptrdiff_t>(ranked_end_);
  auto end = ranked_.end();
  if (end - begin > static_cast<ptrdiff_t>(kMeetingsQueued)) {
    const auto last = begin + kMeetingsQueued - 1;
    std::nth_element(begin, last, end);
    const uint64_t cost = *last >> 32;
    end = std::partition(last + 1, end, [cost](uint64_t meeting) {
      return meeting >> 32 == cost;
    });
    queued_cost_ = static_cast<int64_t>(cost);
  } else {
    queued_cost_ = std::numeric_limits<int64_t>::max();
  }
  for (auto meeting = begin; meeting != end; ++meeting) {
    queue_.push_back(QueuedOf(paths, static_cast<int32_t>(*meeting)));
  }
  ranked_end_ = static_cast<size_t>(end - ranked_.begin());
  std::make_heap(queue_.begin(), queue_.end(), std::greater<>());
}

// REQUIRES: a path is left.
int32_t ShortestPathOrder::Pop(const ShortestPaths& paths) {
  while (ranked_end_ < ranked_.size() &&
         (queue_.empty() || queue_.front().cost > queued_cost_)) {
    QueueMeetings(paths);
  }
  std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
  const int32_t path = queue_.back().path;
  queue_.pop_back();
  return path;
}

// Puts into the queue the continuations of a partial path by one hop towards
// the end of `side`.
void ShortestPathOrder::Extend(const ShortestPaths& paths, int32_t path,
                               int side) {
  const PartialPath from = PathOf(paths, path);
  const std::vector<PathTrace>& traces = paths.sides[side].traces;
  const PathTrace& outermost = traces[from.position[side]];
  const int64_t inner_cost = from.cost - (outermost.best - outermost.cost);
  for (int32_t step = outermost.first_step; step >= 0;
       step = paths.steps[step].next) {
    const uint32_t parent = paths.steps[step].parent;
    PartialPath next = from;
    next.position[side] = parent;
    next.cost = inner_cost + traces[parent].best;
    next.previous = path;
    partial_.push_back(next);
    queue_.push_back(QueuedOf(
        paths,
        static_cast<int32_t>(paths.meetings.size() + partial_.size()) - 1));
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  }
}

// Walks from the outermost nodes back to the meeting. The nodes of the source
// side come in the order of the path, those of the target side backwards.
void ShortestPathOrder::ListInnerNodes(const ShortestPaths& paths, int32_t path,
                                       std::vector<NodeId>& inner) {
  inner.clear();
  backwards_.clear();
  uint32_t last[2] = {0, 0};  // position 0 is the end, not an inner node
  while (path >= 0) {
    const PartialPath at = PathOf(paths, path);
    for (int side = 0; side < 2; ++side) {
      const uint32_t here = at.position[side];
      if (here == last[side]) continue;
      last[side] = here;
      (side == 0 ? inner : backwards_).push_back(paths.sides[side].nodes[here]);
    }
    path = at.previous;
  }
  inner.insert(inner.end(), backwards_.rbegin(), backwards_.rend());
}

bool ShortestPathOrder::Next(const ShortestPaths& paths,
                             std::vector<NodeId>& inner) {
  while (queue_.size() + ranked_.size() > ranked_end_ &&
         paths_listed_ < kMaxPaths && partial_.size() < kMaxPartialPaths) {
    const int32_t path = Pop(paths);
    const PartialPath at = PathOf(paths, path);
    if (paths.sides[0].IsFar(at.position[0])) {
      Extend(paths, path, 0);
      continue;
    }
    if (paths.sides[1].IsFar(at.position[1])) {
      Extend(paths, path, 1);
      continue;
    }
    ++paths_listed_;
    ListInnerNodes(paths, path, inner);
    return true;
  }
  return false;
}

}  // namespace slice
