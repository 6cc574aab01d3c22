// Beam searches for paths from the source to the target.
//
// The beam is a list of partial paths that start at the source. With each hop,
// every path of the beam is continued by some neighbours of its last node. The
// strategy `random` draws these neighbours; `coherent` takes those most similar
// to the two ends. No path repeats a node or passes an end.
//
// After each hop, every path whose last node is a neighbour of the target is
// complete, and its inner nodes are collected. It stays in the beam and grows
// on. The search ends when `room` nodes are collected, or at max_hops.
#include "context/beam_paths.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "common/random.h"
#include "context/neighbor_sample.h"

namespace slice {
namespace {

// The most partial paths that the beam keeps after each hop.
constexpr size_t kMaxPartialPaths = 256;

using Path = std::vector<NodeId>;  // inner nodes, in order

bool Continues(const Link& link, const Path& path, NodeId node) {
  return node != link.source && node != link.target &&
         std::find(path.begin(), path.end(), node) == path.end();
}

// Grows the beam hop by hop. A ContinuePath appends to a list the paths that
// continue `path` by one node, the preferred ones first. `last` is the last
// node of `path`, or the source when `path` is empty.
class Beam {
 public:
  using ContinuePath =
      std::function<void(const Path& path, NodeId last, std::vector<Path>&)>;

  Beam(const GraphView& view, const Link& link, size_t room)
      : view_(view), link_(link), room_(room) {}

  // Keeps at most `most` paths after each hop. Returns the nodes of the
  // complete paths.
  NodesBetween Run(int max_hops, size_t most,
                   const ContinuePath& continue_path) {
    const NeighborList at_target = view_.Neighbors(link_.target);
    std::vector<Path> paths = {{}};
    for (int hops = 2; hops <= max_hops && !paths.empty(); ++hops) {
      std::vector<Path> next;
      for (const Path& path : paths) {
        continue_path(path, path.empty() ? link_.source : path.back(), next);
      }
      found_.truncated |= next.size() > most;
      if (next.size() > most) next.resize(most);
      for (const Path& path : next) {
        if (!at_target.Contains(path.back())) continue;
        if (found_.hops < 0) found_.hops = hops;
        found_.AddPath(path, room_);
      }
      if (found_.nodes.size() == room_ && found_.hops >= 0) break;
      paths = std::move(next);
    }
    return std::move(found_);
  }

 private:
  const GraphView& view_;
  const Link& link_;
  const size_t room_;
  NodesBetween found_;
};

// How similar a node is to both ends: the sum of the two cosines between its
// embedding and those of the ends. The sum is computed once for each node.
class EndSimilarity {
 public:
  EndSimilarity(const NodeEmbeddings& embeddings, const Link& link)
      : embeddings_(embeddings),
        source_(embeddings.Row(link.source)),
        target_(embeddings.Row(link.target)) {}

  double Of(NodeId node) {
    const auto [entry, is_new] = known_.try_emplace(node, 0.0);
    if (is_new) {
      const auto row = embeddings_.Row(node);
      entry->second =
          CosineSimilarity(row, source_) + CosineSimilarity(row, target_);
    }
    return entry->second;
  }

 private:
  const NodeEmbeddings& embeddings_;
  const std::span<const float> source_, target_;
  absl::flat_hash_map<NodeId, double> known_;
};

}  // namespace

NodesBetween FindRandomPathNodes(const GraphView& view,
                                 const BeamLimits& limits, const Link& link,
                                 uint64_t seed, size_t room) {
  Random random(seed);
  const auto continue_path = [&](const Path& path, NodeId last,
                                 std::vector<Path>& next) {
    ForEachDrawn(view.Neighbors(last), static_cast<size_t>(limits.beam_width),
                 random, [&](NodeId node) {
                   if (!Continues(link, path, node)) return;
                   next.push_back(path);
                   next.back().push_back(node);
                 });
  };
  return Beam(view, link, room)
      .Run(limits.max_hops, kMaxPartialPaths, continue_path);
}

NodesBetween FindCoherentPathNodes(const GraphView& view,
                                   const BeamLimits& limits,
                                   const NodeEmbeddings& embeddings,
                                   const Link& link, size_t room) {
  const size_t width = static_cast<size_t>(limits.beam_width);
  const size_t degree = static_cast<size_t>(limits.max_degree);
  EndSimilarity similarity(embeddings, link);
  bool sampled = false;
  std::vector<std::pair<double, NodeId>> best;  // (-similarity, node)
  const auto continue_path = [&](const Path& path, NodeId last,
                                 std::vector<Path>& next) {
    const NeighborList neighbors = view.Neighbors(last);
    sampled |= neighbors.size() > degree;
    best.clear();
    ForEachSampled(neighbors, degree, [&](NodeId node) {
      if (Continues(link, path, node)) {
        best.emplace_back(-similarity.Of(node), node);
      }
    });
    const size_t count = std::min(width, best.size());
    std::partial_sort(best.begin(), best.begin() + count, best.end());
    for (size_t i = 0; i < count; ++i) {
      next.push_back(path);
      next.back().push_back(best[i].second);
    }
  };
  NodesBetween found =
      Beam(view, link, room)
          .Run(limits.max_hops, kMaxPartialPaths, continue_path);
  found.truncated |= sampled;
  return found;
}

}  // namespace slice
