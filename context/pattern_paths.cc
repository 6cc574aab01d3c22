// Finds paths along metapaths, and the metapaths that are worth following.
//
// FindPathsAlong() searches depth-first from the end whose first step leads to
// fewer nodes. If that end is the target, the metapath is reversed, and the
// paths found are reversed again. The last step is a lookup of the link to the
// other end.
//
// CommonMetapaths() takes a sample of the links of each relation. It finds the
// simple paths between the ends of each link, with the pair hidden. For each
// sequence of signed relations it counts how many links have a path along it.
#include "context/pattern_paths.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "context/neighbor_sample.h"
#include "context/simple_path_search.h"

namespace slice {
namespace {

constexpr size_t kMaxPathsAlong = 4096;
// Bounds of CommonMetapaths(): how many links of a relation are sampled, and
// how many arcs are searched for one link.
constexpr size_t kLinksPerRelation = 200;
constexpr int kCountedArcs = 5000;

Arc StepArc(int32_t step, NodeId neighbor) {
  return {neighbor, static_cast<RelationId>(std::abs(step) - 1),
          step > 0 ? Direction::kOut : Direction::kIn};
}

// Searches depth-first along one metapath.
class MetapathSearch {
 public:
  MetapathSearch(const GraphView& view, const PathSearchLimits& limits,
                 const Link& link, std::span<const int32_t> steps)
      : view_(view),
        limits_(limits),
        ends_{link.source, link.target},
        steps_(steps.begin(), steps.end()),
        arcs_left_(limits.max_expanded_arcs) {
    // Start at the end that has fewer ways to begin.
    reversed_ = Degree(ends_[1], -steps_.back()) < Degree(ends_[0], steps_[0]);
    if (!reversed_) return;
    std::swap(ends_[0], ends_[1]);
    std::reverse(steps_.begin(), steps_.end());
    for (int32_t& step : steps_) step = -step;
  }

  std::vector<PathBetween> Run() {
    Extend(ends_[0]);
    for (PathBetween& path : found_) {
      if (reversed_) std::reverse(path.inner.begin(), path.inner.end());
    }
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

  bool truncated() const { return truncated_; }

 private:
  size_t Degree(NodeId node, int32_t step) const {
    const Arc arc = StepArc(step, 0);
    return view_.SlotDegree(node, arc.relation, arc.direction);
  }

  void Extend(NodeId from) {
    const int32_t step = steps_[inner_.size()];
    if (inner_.size() + 1 == steps_.size()) {
      Arrive(from, step);
      return;
    }
    for (const NodeId node : Steps(from, step)) {
      if (node == ends_[0] || node == ends_[1]) continue;
      if (std::find(inner_.begin(), inner_.end(), node) != inner_.end()) {
        continue;
      }
      inner_.push_back(node);
      Extend(node);
      inner_.pop_back();
    }
  }

  void Arrive(NodeId from, int32_t step) {
    const Arc arc = StepArc(step, ends_[1]);
    const bool out = arc.direction == Direction::kOut;
    const Link last = out ? Link{from, arc.relation, ends_[1]}
                          : Link{ends_[1], arc.relation, from};
    if (!view_.HasLink(last)) return;
    if (found_.size() == kMaxPathsAlong) {
      truncated_ = true;
      return;
    }
    PathBetween path{.cost = 0, .inner = inner_};
    for (const NodeId node : inner_) {
      path.cost += SpecificityCost(view_.NeighborCount(node));
    }
    found_.push_back(std::move(path));
  }

  // The nodes that one step leads to: the visible nodes of the slot, or a
  // strided sample of them.
  std::vector<NodeId> Steps(NodeId from, int32_t step) {
    std::vector<NodeId> nodes;
    if (arcs_left_ <= 0) {
      truncated_ = true;
      return nodes;
    }
    const Arc slot = StepArc(step, 0);
    const std::span<const NodeId> all =
        view_.snapshot().Neighbors(from, slot.relation, slot.direction);
    NeighborList::HiddenPositions hidden;
    if (Degree(from, step) < all.size()) {
      for (uint32_t i = 0; i < all.size(); ++i) {
        if (!view_.IsVisible(from, StepArc(step, all[i]))) hidden.push_back(i);
      }
    }
    const NeighborList visible(all, std::move(hidden));
    const size_t limit = static_cast<size_t>(limits_.max_degree);
    truncated_ |= visible.size() > limit;
    ForEachSampled(visible, limit, [&](NodeId node) { nodes.push_back(node); });
    arcs_left_ -= static_cast<int64_t>(nodes.size());
    return nodes;
  }

  const GraphView& view_;
  const PathSearchLimits limits_;
  NodeId ends_[2];
  std::vector<int32_t> steps_;
  int64_t arcs_left_;
  bool reversed_ = false;
  bool truncated_ = false;
  std::vector<NodeId> inner_;
  std::vector<PathBetween> found_;
};

// Adds every sequence of signed relations that leads along the nodes of one
// path. There are several sequences where parallel links join two nodes.
void AddSequences(const GraphView& view, const Link& link,
                  const PathBetween& path,
                  absl::flat_hash_set<std::vector<int32_t>>& sequences) {
  std::vector<NodeId> nodes = {link.source};
  nodes.insert(nodes.end(), path.inner.begin(), path.inner.end());
  nodes.push_back(link.target);
  std::vector<std::vector<int32_t>> partial = {{}};
  for (size_t i = 0; i + 1 < nodes.size(); ++i) {
    std::vector<std::vector<int32_t>> longer;
    for (const Arc& arc : view.ArcsBetween(nodes[i], nodes[i + 1])) {
      for (const auto& sequence : partial) {
        longer.push_back(sequence);
        longer.back().push_back(SignedRelation(arc.relation, arc.direction));
      }
    }
    partial = std::move(longer);
  }
  sequences.insert(partial.begin(), partial.end());
}

// How many of `links` have a path along each sequence.
std::map<std::vector<int32_t>, int> CountSequences(
    const GraphSnapshot& snapshot, std::span<const Link> links, int max_steps) {
  PathSearchLimits limits;
  limits.max_expanded_arcs = kCountedArcs;
  std::map<std::vector<int32_t>, int> counts;
  for (const Link& link : links) {
    if (link.source == link.target) continue;
    GraphView view(snapshot);
    view.HidePair(link.source, link.target);
    SimplePathSearch search(view, limits, link.source, link.target);
    absl::flat_hash_set<std::vector<int32_t>> sequences;
    for (int hops = 2; hops <= max_steps; ++hops) {
      for (const PathBetween& path : search.OfLength(hops)) {
        AddSequences(view, link, path, sequences);
      }
    }
    for (const auto& sequence : sequences) ++counts[sequence];
  }
  return counts;
}

}  // namespace

std::vector<PathBetween> FindPathsAlong(const GraphView& view,
                                        const PathSearchLimits& limits,
                                        const Link& link,
                                        std::span<const int32_t> steps,
                                        bool* truncated) {
  MetapathSearch search(view, limits, link, steps);
  std::vector<PathBetween> paths = search.Run();
  *truncated |= search.truncated();
  return paths;
}

NodesBetween FindPatternNodes(const GraphView& view,
                              const PathSearchLimits& limits,
                              std::span<const Metapath> metapaths,
                              const Link& link, size_t room) {
  NodesBetween between;
  for (const Metapath& metapath : metapaths) {
    if (!metapath.Serves(link.relation)) continue;
    if (between.nodes.size() == room && between.hops >= 0) break;
    for (const PathBetween& path : FindPathsAlong(
             view, limits, link, metapath.steps, &between.truncated)) {
      const int hops = static_cast<int>(metapath.steps.size());
      if (between.hops < 0 || hops < between.hops) between.hops = hops;
      between.AddPath(path.inner, room);
    }
  }
  return between;
}

std::vector<Metapath> CommonMetapaths(const GraphSnapshot& snapshot,
                                      std::span<const Link> links,
                                      int max_steps, int per_relation) {
  std::vector<std::vector<Link>> by_relation(snapshot.relation_count());
  for (const Link& link : links) by_relation[link.relation].push_back(link);
  std::vector<Metapath> metapaths;
  for (size_t relation = 0; relation < by_relation.size(); ++relation) {
    const std::vector<Link>& all = by_relation[relation];
    std::vector<Link> sample;
    const size_t count = std::min(all.size(), kLinksPerRelation);
    for (size_t i = 0; i < count; ++i) {
      sample.push_back(all[i * all.size() / count]);
    }
    std::vector<std::pair<int, std::vector<int32_t>>> order;
    for (const auto& [steps, links_joined] :
         CountSequences(snapshot, sample, max_steps)) {
      order.emplace_back(-links_joined, steps);
    }
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), static_cast<size_t>(per_relation)));
    for (auto& [negated_count, steps] : order) {
      metapaths.push_back({static_cast<int32_t>(relation), std::move(steps)});
    }
  }
  return metapaths;
}

}  // namespace slice
