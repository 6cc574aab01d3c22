// Each link is scored in a view that hides its pair, from the path evidence
// that pair features use too. In a ranking by 3-paths, thousands of links share
// a source. There the path weights of all targets come from one propagation
// (path_propagation.h).
#include "trainer/evaluation/baselines.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "absl/strings/str_format.h"
#include "common/parallel.h"
#include "common/processor_count.h"
#include "common/progress.h"
#include "context/path_evidence.h"
#include "trainer/evaluation/path_propagation.h"

namespace slice {
namespace {

// When at least this many consecutive links have the same source and relation,
// one propagation scores all of their targets.
constexpr size_t kPropagateFrom = 32;
// Popularity breaks ties: it turns a score s into s * (1 + kTieBreakPresent *
// log1p(popularity)) + kTieBreakAbsent * popularity. A score above zero changes
// by about a millionth, and a score of zero becomes far smaller than any path
// weight.
constexpr double kTieBreakAbsent = 1e-12;
constexpr double kTieBreakPresent = 1e-6;

double AdamicAdarTwoSteps(const GraphView& view, const Link& link) {
  double sum = 0;
  view.Neighbors(link.source).ForEach([&](NodeId between) {
    if (view.HasLink({between, link.relation, link.target})) {
      sum += 1 / std::log(std::max<double>(
                     2, static_cast<double>(view.NeighborCount(between))));
    }
  });
  return sum;
}

double Popularity(const GraphView& view, const Link& link) {
  return static_cast<double>(
      view.SlotDegree(link.target, link.relation, Direction::kIn));
}

double ScoreWith(Baseline baseline, const GraphView& view, const Link& link,
                 PathEvidence& evidence) {
  switch (baseline) {
    case Baseline::kPopularity:
      return Popularity(view, link);
    case Baseline::kCommonNeighbors:
      evidence.Open(view, link, PathFanOut());
      return evidence.SumCommonNeighbors().all.count;
    case Baseline::kAdamicAdar:
      evidence.Open(view, link, PathFanOut());
      return evidence.SumCommonNeighbors().adamic_adar;
    case Baseline::kThreePaths:
      evidence.Open(view, link, PathFanOut());
      return evidence.SumThreePaths().all.weight;
    case Baseline::kAdamicAdarTwoSteps:
      return AdamicAdarTwoSteps(view, link);
    case Baseline::kNode2vec:
      break;
  }
  return 0;
}

// How many links at the beginning of `links` have the same source and relation
// as the first one.
size_t RunLength(std::span<const Link> links) {
  size_t length = 1;
  while (length < links.size() && links[length].source == links[0].source &&
         links[length].relation == links[0].relation) {
    ++length;
  }
  return length;
}

}  // namespace

std::string_view BaselineName(Baseline baseline) {
  static constexpr std::string_view kNames[] = {
      "popularity", "common neighbours",      "Adamic-Adar",
      "3-paths",    "Adamic-Adar, two steps", "embedding dot product"};
  static_assert(std::size(kNames) == kBaselineCount);
  return kNames[static_cast<size_t>(baseline)];
}

std::string_view BaselineKey(Baseline baseline) {
  static constexpr std::string_view kKeys[] = {
      "popularity",  "common_neighbors",      "adamic_adar",
      "three_paths", "adamic_adar_two_steps", "node2vec"};
  static_assert(std::size(kKeys) == kBaselineCount);
  return kKeys[static_cast<size_t>(baseline)];
}

double ScoreBaseline(Baseline baseline, const GraphView& view,
                     const Link& link) {
  PathEvidence evidence;
  return ScoreWith(baseline, view, link, evidence);
}

BaselineScorer::BaselineScorer(Baseline baseline, const GraphSnapshot& snapshot,
                               std::span<const float> embeddings, int dim,
                               bool popularity_breaks_ties)
    : baseline_(baseline),
      snapshot_(&snapshot),
      embeddings_(embeddings),
      dim_(dim),
      popularity_breaks_ties_(popularity_breaks_ties) {}

absl::StatusOr<std::unique_ptr<BaselineScorer>> BaselineScorer::Create(
    Baseline baseline, const GraphSnapshot& snapshot,
    std::span<const float> embeddings, int dim, bool popularity_breaks_ties) {
  if (baseline == Baseline::kNode2vec &&
      (dim <= 0 || embeddings.size() != snapshot.node_count() * dim)) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "embedding dot product: %d embedding values given for %d nodes of "
        "dimension %d",
        embeddings.size(), snapshot.node_count(), dim));
  }
  return std::unique_ptr<BaselineScorer>(new BaselineScorer(
      baseline, snapshot, embeddings, dim, popularity_breaks_ties));
}

double BaselineScorer::DotProduct(const Link& link) const {
  const float* source = embeddings_.data() + size_t{link.source} * dim_;
  const float* target = embeddings_.data() + size_t{link.target} * dim_;
  double dot = 0;
  for (int k = 0; k < dim_; ++k) dot += double{source[k]} * target[k];
  return dot;
}

double BaselineScorer::ScoreOne(const Link& link, const Link& made_from,
                                PathEvidence& evidence) const {
  if (baseline_ == Baseline::kNode2vec) return DotProduct(link);
  GraphView view(*snapshot_);
  view.HidePair(link.source, link.target);
  if (made_from != link) view.HidePair(made_from.source, made_from.target);
  return BreakTie(view, link, ScoreWith(baseline_, view, link, evidence));
}

double BaselineScorer::BreakTie(const GraphView& view, const Link& link,
                                double score) const {
  if (!popularity_breaks_ties_) return score;
  const double popularity = Popularity(view, link);
  return score * (1 + kTieBreakPresent * std::log1p(popularity)) +
         kTieBreakAbsent * popularity;
}

void BaselineScorer::Score(std::span<const Link> links, std::span<float> scores,
                           std::span<const Link> made_from) const {
  PathEvidence evidence;
  const bool propagates =
      baseline_ == Baseline::kThreePaths && made_from.empty();
  for (size_t i = 0; i < links.size();) {
    const size_t run = propagates ? RunLength(links.subspan(i)) : 1;
    if (run >= kPropagateFrom) {
      ScoreThreePathRun(links.subspan(i, run), scores.subspan(i, run),
                        evidence);
    } else {
      for (size_t j = i; j < i + run; ++j) {
        const Link& from = made_from.empty() ? links[j] : made_from[j];
        scores[j] = static_cast<float>(ScoreOne(links[j], from, evidence));
      }
    }
    i += run;
  }
}

// Hiding the pair of a target changes nothing when the target is not a
// neighbour of the source, so that one propagation serves all these targets.
// The few targets that are neighbours are scored one by one.
void BaselineScorer::ScoreThreePathRun(std::span<const Link> links,
                                       std::span<float> scores,
                                       PathEvidence& evidence) const {
  const GraphView view(*snapshot_);
  const NodeId source = links[0].source;
  const std::vector<double> weights = PropagateThreePaths(view, source);
  for (size_t i = 0; i < links.size(); ++i) {
    const NodeId target = links[i].target;
    const double score = target == source || view.AreNeighbors(source, target)
                             ? ScoreOne(links[i], links[i], evidence)
                             : BreakTie(view, links[i], weights[target]);
    scores[i] = static_cast<float>(score);
  }
}

std::vector<float> ScoreLinks(const BaselineScorer& scorer,
                              std::span<const Link> links, int threads,
                              std::span<const Link> made_from) {
  std::vector<float> scores(links.size());
  ProgressLine progress(
      std::string("baseline ") + std::string(BaselineName(scorer.baseline())),
      links.size(), "links");
  ParallelFor(links.size(), 256, threads > 0 ? threads : ProcessorCount(),
              [&](size_t begin, size_t end, int) {
                const size_t count = end - begin;
                scorer.Score(links.subspan(begin, count),
                             std::span(scores).subspan(begin, count),
                             made_from.empty()
                                 ? made_from
                                 : made_from.subspan(begin, count));
                progress.Advance(end - begin);
              });
  return scores;
}

}  // namespace slice
