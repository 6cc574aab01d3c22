// The order of the paths that a search has found: best first.
#include <algorithm>
#include <functional>
#include <limits>

#include "context/shortest_paths.h"

namespace slice {
namespace {

constexpr int kMaxPaths = 256;
constexpr size_t kMaxPartialPaths = 4096;
// Meetings go into the queue in portions of about so many: a context takes few
// of the paths.
constexpr size_t kMeetingsQueued = 16;

}  // namespace

ShortestPathSearch::PartialPath ShortestPathSearch::PathOf(int32_t path) const {
  const size_t at = static_cast<size_t>(path);
  if (at >= meetings_.size()) return partial_[at - meetings_.size()];
  const auto [source_side, target_side] = meetings_[at].position;
  return {
      sides_[0].traces[source_side].best + sides_[1].traces[target_side].best,
      {source_side, target_side},
      -1};
}

ShortestPathSearch::Queued ShortestPathSearch::QueuedOf(int32_t path) const {
  const PartialPath from = PathOf(path);
  const uint64_t source_side = sides_[0].nodes[from.position[0]];
  return {from.cost, (source_side << 32) | sides_[1].nodes[from.position[1]],
          path};
}

// Of all meetings only the best kMaxPaths can begin one of as many best paths.
void ShortestPathSearch::RankMeetings() {
  ranked_.resize(meetings_.size());
  for (size_t i = 0; i < meetings_.size(); ++i) {
    const uint32_t* position = meetings_[i].position;
    const int64_t cost =
        sides_[0].traces[position[0]].best + sides_[1].traces[position[1]].best;
    // A cost is below 2^32: that of 15 nodes of 2^32 neighbours is 2^29.
    ranked_[i] = (static_cast<uint64_t>(cost) << 32) | i;
  }
  if (ranked_.size() <= kMaxPaths) return;
  std::nth_element(ranked_.begin(), ranked_.begin() + kMaxPaths, ranked_.end(),
                   [this](uint64_t a, uint64_t b) {
                     if ((a >> 32) != (b >> 32)) return a < b;
                     return QueuedOf(static_cast<int32_t>(b)) >
                            QueuedOf(static_cast<int32_t>(a));
                   });
  ranked_.resize(kMaxPaths);
}

// Puts the next cheapest meetings into the queue, and all that cost the same.
void ShortestPathSearch::QueueMeetings() {
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
    queue_.push_back(QueuedOf(static_cast<int32_t>(*meeting)));
  }
  ranked_end_ = static_cast<size_t>(end - ranked_.begin());
  std::make_heap(queue_.begin(), queue_.end(), std::greater<>());
}

// REQUIRES: a path is left.
int32_t ShortestPathSearch::Pop() {
  while (ranked_end_ < ranked_.size() &&
         (queue_.empty() || queue_.front().cost > queued_cost_)) {
    QueueMeetings();
  }
  std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
  const int32_t path = queue_.back().path;
  queue_.pop_back();
  return path;
}

// Replaces a partial path by its continuations one hop nearer to one end.
void ShortestPathSearch::Extend(int32_t path, int side) {
  const PartialPath from = PathOf(path);
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
    queue_.push_back(
        QueuedOf(static_cast<int32_t>(meetings_.size() + partial_.size()) - 1));
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
  while (path >= 0) {
    const PartialPath at = PathOf(path);
    for (int side = 0; side < 2; ++side) {
      const uint32_t here = at.position[side];
      if (here == last[side]) continue;
      last[side] = here;
      (side == 0 ? inner : backwards_).push_back(sides_[side].nodes[here]);
    }
    path = at.previous;
  }
  inner.insert(inner.end(), backwards_.rbegin(), backwards_.rend());
}

bool ShortestPathSearch::Next(std::vector<NodeId>& inner) {
  while (queue_.size() + ranked_.size() > ranked_end_ &&
         paths_found_ < kMaxPaths && partial_.size() < kMaxPartialPaths) {
    const int32_t path = Pop();
    const PartialPath at = PathOf(path);
    if (sides_[0].IsFar(at.position[0])) {
      Extend(path, 0);
      continue;
    }
    if (sides_[1].IsFar(at.position[1])) {
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
