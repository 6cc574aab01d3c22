// Gathers the paths of one, two and three links between the ends u and v by
// type.
//
// The 1-paths are the visible links between u and v. The 2-paths go over each
// neighbour x of u that is a neighbour of v too. The 3-paths go over each
// sampled neighbour x of u, and each sampled arc from x to a neighbour y of v.
// Every path is added to its type in found_; a hash table finds the type by its
// relations. Parallel links make several paths. Where nodes or arcs are
// sampled, each path that is found counts as `times` paths. At the end only the
// types of the greatest weight are kept.
//
// A sample is taken from visible neighbours or arcs alone. So the sample is the
// same whether a link is hidden or missing in the graph.
#include "context/typed_path_search.h"

#include <algorithm>
#include <cmath>

#include "context/neighbor_sample.h"

namespace slice {
namespace {

constexpr size_t kFirstTableSize = 256;

size_t HashRelations(const std::array<int32_t, 3>& relations) {
  uint64_t hash = 0;
  for (const int32_t relation : relations) {
    hash = (hash + static_cast<uint32_t>(relation)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return static_cast<size_t>(hash);
}

// Much faster than the comparison of arrays, which calls memcmp.
bool AreSame(const std::array<int32_t, 3>& a, const std::array<int32_t, 3>& b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

float InverseRoot(size_t degree) {
  return 1 / std::sqrt(static_cast<float>(std::max<size_t>(degree, 1)));
}

bool Heavier(const TypedPath& a, const TypedPath& b) {
  if (a.weight != b.weight) return a.weight > b.weight;
  return a.relations < b.relations;
}

}  // namespace

const std::vector<TypedPath>& TypedPathSearch::Find(
    const GraphView& view, const Link& link, const TypedPathLimits& limits) {
  found_.clear();
  truncated_ = false;
  if (++epoch_ == 0 || table_.empty()) {
    table_.assign(std::max(table_.size(), kFirstTableSize), Cell());
    epoch_ = 1;
  }
  source_.Open(view, link.source, limits.common);
  target_.Open(view, link.target, limits.common + limits.first * limits.second);
  FindOneStep(view, link);
  if (source_.degree() > 0 && target_.degree() > 0) {
    FindTwoSteps(view, link, limits.common);
    FindThreeSteps(view, link, limits);
  }
  shortest_ = 0;
  for (const TypedPath& path : found_) {
    if (shortest_ == 0 || path.length < shortest_) shortest_ = path.length;
  }
  const size_t kept = std::min(limits.types, found_.size());
  std::partial_sort(found_.begin(), found_.begin() + kept, found_.end(),
                    Heavier);
  found_.resize(kept);
  return found_;
}

void TypedPathSearch::FindOneStep(const GraphView& view, const Link& link) {
  if (link.source == link.target || !source_.Contains(link.target)) return;
  view.ForEachArcBetween(link.source, link.target,
                         [&](RelationId relation, Direction direction) {
                           Add({SignedRelation(relation, direction), 0, 0}, 1,
                               1, kNoNode, kNoNode);
                         });
}

void TypedPathSearch::FindTwoSteps(const GraphView& view, const Link& link,
                                   size_t limit) {
  const auto step_over = [&](NodeId x, float times) {
    if (x == link.source || x == link.target) return;
    const float weight = InverseRoot(view.NeighborCount(x));
    source_.AnyRelation(x, [&](int32_t first) {
      target_.AnyRelation(x, [&](int32_t back) {
        Add({first, -back, 0}, times, weight, x, kNoNode);
        return false;
      });
      return false;
    });
  };
  if (source_.degree() > limit && target_.degree() <= limit) {
    target_.neighbors().ForEach([&](NodeId x) {
      if (source_.Contains(x)) step_over(x, 1);
    });
    return;
  }
  truncated_ |= source_.degree() > limit;
  const float times = std::max(
      1.0f, static_cast<float>(source_.degree()) / static_cast<float>(limit));
  ForEachSampled(source_.neighbors(), limit, [&](NodeId x) {
    if (target_.Contains(x)) step_over(x, times);
  });
}

void TypedPathSearch::FindThreeSteps(const GraphView& view, const Link& link,
                                     const TypedPathLimits& limits) {
  truncated_ |= source_.degree() > limits.first;
  const float first_times =
      std::max(1.0f, static_cast<float>(source_.degree()) /
                         static_cast<float>(limits.first));
  ForEachSampled(source_.neighbors(), limits.first, [&](NodeId x) {
    if (x == link.target || x == link.source) return;
    const float x_weight = InverseRoot(view.NeighborCount(x));
    first_relations_.clear();
    source_.AnyRelation(x, [&](int32_t relation) {
      first_relations_.push_back(relation);
      return false;
    });
    const float times = first_times * GatherArcs(view, x, limits.second);
    for (const Arc& arc : arcs_) {
      const NodeId y = arc.neighbor;
      if (y == link.source || y == x || y == link.target ||
          !view.IsVisible(x, arc)) {
        continue;
      }
      const float weight = x_weight * InverseRoot(view.NeighborCount(y));
      const int32_t second = SignedRelation(arc.relation, arc.direction);
      target_.AnyRelation(y, [&](int32_t back) {
        for (const int32_t first : first_relations_) {
          Add({first, second, -back}, times, weight, x, y);
        }
        return false;
      });
    }
  });
}

// Fills arcs_ with the arcs of `node` that lead to neighbours of the target. If
// `node` has at most `limit` arcs, all are considered, hidden ones too: the
// caller must skip those. If it has more, a strided sample of its visible arcs
// is considered. Returns how many arcs each considered arc represents.
float TypedPathSearch::GatherArcs(const GraphView& view, NodeId node,
                                  size_t limit) {
  const GraphSnapshot& graph = view.snapshot();
  size_t size = graph.Arcs(node, Direction::kOut).size() +
                graph.Arcs(node, Direction::kIn).size();
  arcs_.clear();
  if (size > limit) {
    const size_t visible = view.ArcCount(node);
    // The sample must be of visible arcs: otherwise it would depend on hidden
    // ones.
    if (visible != size) return GatherVisibleArcs(view, node, visible, limit);
    truncated_ = true;
  }
  const size_t taken = std::min(size, limit);
  // Visits floor(i * size / taken) without a division per step.
  const size_t whole = taken == 0 ? 0 : size / taken;
  const size_t part = taken == 0 ? 0 : size % taken;
  size_t position = 0, remainder = 0, passed = 0;
  for (const Direction direction : {Direction::kOut, Direction::kIn}) {
    const ArcSpan side = graph.Arcs(node, direction);
    while (position < passed + side.size()) {
      const size_t at = position - passed;
      if (target_.Contains(side.neighbors[at])) {
        arcs_.push_back({side.neighbors[at], side.relations[at], direction});
      }
      position += whole;
      remainder += part;
      if (remainder >= taken) {
        remainder -= taken;
        ++position;
      }
    }
    passed += side.size();
  }
  return taken == 0 ? 0 : static_cast<float>(size) / static_cast<float>(taken);
}

float TypedPathSearch::GatherVisibleArcs(const GraphView& view, NodeId node,
                                         size_t size, size_t limit) {
  const size_t taken = std::min(size, limit);
  size_t position = 0, next = 0;
  view.ForEachArc(node, [&](const Arc& arc) {
    if (next == taken || position++ != next * size / taken) return;
    ++next;
    if (target_.Contains(arc.neighbor)) arcs_.push_back(arc);
  });
  truncated_ |= size > taken;
  return taken == 0 ? 0 : static_cast<float>(size) / static_cast<float>(taken);
}

void TypedPathSearch::Add(const std::array<int32_t, 3>& relations, float times,
                          float weight, NodeId x, NodeId y) {
  if (2 * (found_.size() + 1) > table_.size()) GrowTable();
  const size_t mask = table_.size() - 1;
  size_t at = HashRelations(relations) & mask;
  while (table_[at].epoch == epoch_ &&
         !AreSame(found_[table_[at].index].relations, relations)) {
    at = (at + 1) & mask;
  }
  if (table_[at].epoch != epoch_) {
    table_[at] = {epoch_, static_cast<uint32_t>(found_.size())};
    TypedPath path;
    path.relations = relations;
    path.length = relations[2] != 0 ? 3 : relations[1] != 0 ? 2 : 1;
    found_.push_back(path);
  }
  TypedPath& path = found_[table_[at].index];
  path.count += times;
  path.weight += times * weight;
  if (weight > path.best_weight) {
    path.best_weight = weight;
    path.inner = {x, y};
  }
}

void TypedPathSearch::GrowTable() {
  table_.assign(2 * table_.size(), Cell());
  epoch_ = 1;
  const size_t mask = table_.size() - 1;
  for (size_t i = 0; i < found_.size(); ++i) {
    size_t at = HashRelations(found_[i].relations) & mask;
    while (table_[at].epoch == epoch_) at = (at + 1) & mask;
    table_[at] = {epoch_, static_cast<uint32_t>(i)};
  }
}

}  // namespace slice
