#include "trainer/evaluation/baselines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "common/random.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"
#include "trainer/evaluation/path_propagation.h"

namespace slice {
namespace {

// A graph small enough that no neighbour list is sampled.
constexpr RandomMultigraphOptions kSmall = {.nodes = 40, .links = 150};

// Neighbours of each node without the arcs between u and v.
std::vector<std::set<NodeId>> NeighborSets(const GraphData& data, NodeId u,
                                           NodeId v) {
  std::vector<std::set<NodeId>> sets(data.catalogue.nodes.size());
  for (const Link& link : data.links) {
    const bool hidden = (link.source == u && link.target == v) ||
                        (link.source == v && link.target == u);
    if (hidden || link.source == link.target) continue;
    sets[link.source].insert(link.target);
    sets[link.target].insert(link.source);
  }
  return sets;
}

// The definitions in baselines.h over plain sets.
double Expected(Baseline baseline, const GraphData& data, const Link& link) {
  const auto [u, r, v] = link;
  const auto neighbors = NeighborSets(data, u, v);
  const std::set<Link> links(data.links.begin(), data.links.end());
  double sum = 0;
  if (baseline == Baseline::kPopularity) {
    for (const Link& other : links) {
      sum += other.relation == r && other.target == v && !(other.source == u) &&
             !(u == v && other.source == v);
    }
    return sum;
  }
  for (const NodeId x : neighbors[u]) {
    const double adamic =
        1 / std::log(std::max<double>(2, neighbors[x].size()));
    if (baseline == Baseline::kCommonNeighbors) sum += neighbors[x].count(v);
    if (baseline == Baseline::kAdamicAdar)
      sum += neighbors[x].count(v) * adamic;
    if (baseline == Baseline::kAdamicAdarTwoSteps) {
      sum += links.count({x, r, v}) * adamic;
    }
    if (baseline != Baseline::kThreePaths || x == v) continue;
    for (const NodeId y : neighbors[x]) {
      if (y == u || !neighbors[y].count(v)) continue;
      sum += 1.0 / static_cast<double>(neighbors[x].size()) /
             static_cast<double>(neighbors[y].size());
    }
  }
  return sum;
}

constexpr Baseline kPathBaselines[] = {
    Baseline::kPopularity, Baseline::kCommonNeighbors, Baseline::kAdamicAdar,
    Baseline::kThreePaths, Baseline::kAdamicAdarTwoSteps};

TEST(BaselinesTest, ScoresEqualTheirDefinitions) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const GraphData data = RandomMultigraph(kSmall, seed);
    const auto snapshot = BuildSnapshotOrDie(data);
    for (const Baseline baseline : kPathBaselines) {
      const auto scorer = BaselineScorer::Create(baseline, *snapshot);
      ASSERT_TRUE(scorer.ok());
      Random random(seed);
      for (int i = 0; i < 300; ++i) {
        Link link = {random.Below(40), static_cast<RelationId>(random.Below(4)),
                     random.Below(40)};
        if (i % 2 == 0) link = data.links[random.Below(150)];
        if (link.source == link.target) continue;
        float score = 0;
        (*scorer)->Score({&link, 1}, {&score, 1});
        ASSERT_NEAR(score, Expected(baseline, data, link), 1e-5)
            << std::string(BaselineName(baseline)) << " " << link.source << " "
            << link.relation << " " << link.target;
      }
    }
  }
}

TEST(BaselinesTest, WholeRankingScoresAsSingleLinks) {
  const GraphData data = RandomMultigraph(kSmall, 3);
  const auto snapshot = BuildSnapshotOrDie(data);
  const auto scorer = BaselineScorer::Create(Baseline::kThreePaths, *snapshot);
  ASSERT_TRUE(scorer.ok());
  for (NodeId source = 0; source < 40; ++source) {
    std::vector<Link> links;
    for (NodeId target = 0; target < 40; ++target) {
      links.push_back({source, 1, target});
    }
    std::vector<float> together(links.size());
    (*scorer)->Score(links, together);
    for (size_t i = 0; i < links.size(); ++i) {
      float alone = 0;
      (*scorer)->Score({&links[i], 1}, {&alone, 1});
      ASSERT_NEAR(together[i], alone, 1e-6) << source << " " << i;
    }
  }
}

TEST(BaselinesTest, OwnLinksAreHidden) {
  const GraphData data = RandomMultigraph(kSmall, 4);
  for (const Link& link : data.links) {
    if (link.source == link.target) continue;
    const auto whole = BuildSnapshotOrDie(data);
    const auto without =
        BuildSnapshotOrDie(RebuildWithout(data, [&](const Link& other) {
          return (other.source == link.source && other.target == link.target) ||
                 (other.source == link.target && other.target == link.source);
        }));
    for (const Baseline baseline : kPathBaselines) {
      float seen = 0, rebuilt = 0;
      (*BaselineScorer::Create(baseline, *whole))
          ->Score({&link, 1}, {&seen, 1});
      (*BaselineScorer::Create(baseline, *without))
          ->Score({&link, 1}, {&rebuilt, 1});
      ASSERT_FLOAT_EQ(seen, rebuilt);
    }
  }
}

// As on a graph rebuilt without the pairs of both.
TEST(BaselinesTest, ThePairOfAPositiveIsHiddenForItsNegative) {
  const GraphData data = RandomMultigraph({.nodes = 20, .links = 200}, 4);
  const auto graph = BuildSnapshotOrDie(data);
  Random random(4);
  bool hiding_mattered = false;
  for (int i = 0; i < 60; ++i) {
    const Link from = data.links[random.Below(160)];
    const Link link = {from.source, from.relation, random.Below(20)};
    const auto without =
        BuildSnapshotOrDie(RebuildWithout(data, [&](const Link& other) {
          return std::minmax(other.source, other.target) ==
                 std::minmax(from.source, from.target);
        }));
    for (const Baseline baseline :
         {Baseline::kPopularity, Baseline::kAdamicAdar,
          Baseline::kThreePaths}) {
      const auto scorer = BaselineScorer::Create(baseline, *graph);
      const auto expected = BaselineScorer::Create(baseline, *without);
      const float hidden = ScoreLinks(**scorer, {&link, 1}, 1, {&from, 1})[0];
      EXPECT_FLOAT_EQ(hidden, ScoreLinks(**expected, {&link, 1}, 1)[0]);
      hiding_mattered |= hidden != ScoreLinks(**scorer, {&link, 1}, 1)[0];
    }
  }
  EXPECT_TRUE(hiding_mattered);
}

TEST(BaselinesTest, PopularityBreaksTiesOnly) {
  const GraphData data = RandomMultigraph(kSmall, 5);
  const auto snapshot = BuildSnapshotOrDie(data);
  std::vector<Link> links;
  for (NodeId target = 0; target < 40; ++target)
    links.push_back({7, 0, target});
  const auto score = [&](Baseline baseline, bool break_ties) {
    std::vector<float> scores(links.size());
    (*BaselineScorer::Create(baseline, *snapshot, {}, 0, break_ties))
        ->Score(links, scores);
    return scores;
  };
  const auto plain = score(Baseline::kAdamicAdar, false);
  const auto broken = score(Baseline::kAdamicAdar, true);
  const auto popularity = score(Baseline::kPopularity, false);
  int ties = 0;
  for (size_t i = 0; i < links.size(); ++i) {
    for (size_t j = 0; j < links.size(); ++j) {
      if (plain[i] > plain[j]) {
        EXPECT_GT(broken[i], broken[j]);
      }
      if (plain[i] == plain[j] && popularity[i] > popularity[j]) {
        EXPECT_GT(broken[i], broken[j]);
        ++ties;
      }
    }
  }
  EXPECT_GT(ties, 0);
}

TEST(BaselinesTest, TwoStepsReachTagsOfDependencies) {
  // privoxy enhances firefox, which alone is tagged web::browser.
  const auto snapshot = ToySnapshot();
  const Link link = ToyLink(*snapshot, "privoxy", "tagged", "web::browser");
  const GraphView view(*snapshot);
  const double neighbors =
      static_cast<double>(view.NeighborCount(ToyNode(*snapshot, "firefox")));
  EXPECT_DOUBLE_EQ(ScoreBaseline(Baseline::kAdamicAdarTwoSteps, view, link),
                   1 / std::log(neighbors));
}

TEST(BaselinesTest, Node2vecIsTheDotProduct) {
  const auto snapshot =
      BuildSnapshotOrDie(RandomMultigraph({.nodes = 3, .isolated = 0}, 1));
  const std::vector<float> embeddings = {1, 2, 3, 4, -5, 6};
  const auto scorer =
      BaselineScorer::Create(Baseline::kNode2vec, *snapshot, embeddings, 2);
  ASSERT_TRUE(scorer.ok());
  const std::vector<Link> links = {{0, 0, 1}, {1, 0, 2}};
  std::vector<float> scores(2);
  (*scorer)->Score(links, scores);
  EXPECT_FLOAT_EQ(scores[0], 11);
  EXPECT_FLOAT_EQ(scores[1], 9);
}

TEST(BaselinesTest, EmbeddingsOfAnotherSizeAreRefused) {
  const auto snapshot = ToySnapshot();
  const std::vector<float> embeddings(5);
  EXPECT_EQ(
      BaselineScorer::Create(Baseline::kNode2vec, *snapshot, embeddings, 2)
          .status()
          .code(),
      absl::StatusCode::kInvalidArgument);
}

TEST(BaselinesTest, ScoreLinksAgreesForAnyThreads) {
  const GraphData data = RandomMultigraph({.nodes = 60, .links = 900}, 6);
  const auto snapshot = BuildSnapshotOrDie(data);
  const auto scorer = BaselineScorer::Create(Baseline::kAdamicAdar, *snapshot);
  ASSERT_TRUE(scorer.ok());
  EXPECT_EQ(ScoreLinks(**scorer, data.links, 1),
            ScoreLinks(**scorer, data.links, 3));
}

}  // namespace
}  // namespace slice
