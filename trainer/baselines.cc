#include "trainer/baselines.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "absl/strings/str_format.h"
#include "common/parallel.h"
#include "common/progress.h"

namespace slice {
namespace {

// Bounds of a 3-path search: beyond them evenly strided neighbours stand for
// all, their weight scaled up.
constexpr size_t kPathFanOut = 48;
constexpr size_t kPathFanIn = 64;

// Calls visit(neighbor) for at most `limit` evenly strided neighbours; returns
// how many each of them stands for.
template <typename Visit>
double ForEachStrided(const NeighborList& neighbors, size_t limit,
                      Visit visit) {
  const size_t taken = std::min(neighbors.size(), limit);
  for (size_t i = 0; i < taken; ++i) {
    visit(neighbors[i * neighbors.size() / taken]);
  }
  return taken == 0 ? 0
                    : static_cast<double>(neighbors.size()) /
                          static_cast<double>(taken);
}

// Calls visit(node) for every common neighbour of `a` and `b`.
template <typename Visit>
void ForEachCommon(const GraphView& view, NodeId a, NodeId b, Visit visit) {
  const NeighborList left = view.Neighbors(a);
  const NeighborList right = view.Neighbors(b);
  const NeighborList& small = left.size() <= right.size() ? left : right;
  const NeighborList& large = left.size() <= right.size() ? right : left;
  small.ForEach([&](NodeId node) {
    if (large.Contains(node)) visit(node);
  });
}

// 1 / log degree; a node between two others has at least two neighbours.
double AdamicAdarWeight(const GraphView& view, NodeId node) {
  return 1 / std::log(std::max<double>(
                 2, static_cast<double>(view.NeighborCount(node))));
}

double AdamicAdarTwoSteps(const GraphView& view, const Link& link) {
  double sum = 0;
  view.Neighbors(link.source).ForEach([&](NodeId between) {
    if (view.HasLink({between, link.relation, link.target})) {
      sum += AdamicAdarWeight(view, between);
    }
  });
  return sum;
}

// Over paths u-x-y-v: sum of 1 / (d_x d_y), divided by the root of
// (d_u + 1)(d_v + 1).
double ThreePaths(const GraphView& view, const Link& link) {
  const NeighborList of_source = view.Neighbors(link.source);
  const NeighborList of_target = view.Neighbors(link.target);
  if (of_source.empty() || of_target.empty()) return 0;
  double sum = 0;
  const double stride = ForEachStrided(of_source, kPathFanOut, [&](NodeId x) {
    if (x == link.target) return;
    const NeighborList of_x = view.Neighbors(x);
    double inner = 0;
    const double inner_stride = ForEachStrided(of_x, kPathFanIn, [&](NodeId y) {
      if (y == link.source || !of_target.Contains(y)) return;
      inner += 1 / static_cast<double>(view.NeighborCount(y));
    });
    sum += inner_stride * inner / static_cast<double>(of_x.size());
  });
  return stride * sum /
         std::sqrt((of_source.size() + 1.0) * (of_target.size() + 1.0));
}

}  // namespace

std::string_view BaselineName(Baseline baseline) {
  static constexpr std::string_view kNames[] = {
      "popularity", "common neighbours",      "Adamic-Adar",
      "3-paths",    "Adamic-Adar, two steps", "node2vec dot product"};
  static_assert(std::size(kNames) == kBaselineCount);
  return kNames[static_cast<size_t>(baseline)];
}

double ScoreBaseline(Baseline baseline, const GraphView& view,
                     const Link& link) {
  double sum = 0;
  switch (baseline) {
    case Baseline::kPopularity:
      return static_cast<double>(
          view.SlotDegree(link.target, link.relation, Direction::kIn));
    case Baseline::kCommonNeighbors:
      ForEachCommon(view, link.source, link.target, [&](NodeId) { ++sum; });
      return sum;
    case Baseline::kAdamicAdar:
      ForEachCommon(view, link.source, link.target,
                    [&](NodeId node) { sum += AdamicAdarWeight(view, node); });
      return sum;
    case Baseline::kThreePaths:
      return ThreePaths(view, link);
    case Baseline::kAdamicAdarTwoSteps:
      return AdamicAdarTwoSteps(view, link);
    case Baseline::kNode2vec:
      break;
  }
  return 0;
}

BaselineScorer::BaselineScorer(Baseline baseline, const GraphSnapshot& snapshot,
                               std::span<const float> embeddings, int dim)
    : baseline_(baseline),
      snapshot_(&snapshot),
      embeddings_(embeddings),
      dim_(dim) {}

absl::StatusOr<std::unique_ptr<BaselineScorer>> BaselineScorer::Create(
    Baseline baseline, const GraphSnapshot& snapshot,
    std::span<const float> embeddings, int dim) {
  if (baseline == Baseline::kNode2vec &&
      (dim <= 0 || embeddings.size() != snapshot.node_count() * dim)) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "node2vec baseline: %d embedding values given for %d nodes of "
        "dimension %d",
        embeddings.size(), snapshot.node_count(), dim));
  }
  return std::unique_ptr<BaselineScorer>(
      new BaselineScorer(baseline, snapshot, embeddings, dim));
}

void BaselineScorer::Score(std::span<const Link> links,
                           std::span<float> scores) const {
  for (size_t i = 0; i < links.size(); ++i) {
    if (baseline_ == Baseline::kNode2vec) {
      const float* source = embeddings_.data() + size_t{links[i].source} * dim_;
      const float* target = embeddings_.data() + size_t{links[i].target} * dim_;
      double dot = 0;
      for (int k = 0; k < dim_; ++k) dot += source[k] * target[k];
      scores[i] = static_cast<float>(dot);
      continue;
    }
    GraphView view(*snapshot_);
    view.HidePair(links[i].source, links[i].target);
    scores[i] = static_cast<float>(ScoreBaseline(baseline_, view, links[i]));
  }
}

std::vector<float> ScoreLinks(const BaselineScorer& scorer,
                              std::span<const Link> links, int threads) {
  std::vector<float> scores(links.size());
  ProgressLine progress(
      std::string("baseline ") + std::string(BaselineName(scorer.baseline())),
      links.size(), "links");
  ParallelFor(links.size(), 256, threads > 0 ? threads : HardwareThreads(),
              [&](size_t begin, size_t end, int) {
                scorer.Score(links.subspan(begin, end - begin),
                             std::span(scores).subspan(begin, end - begin));
                progress.Advance(end - begin);
              });
  return scores;
}

}  // namespace slice
