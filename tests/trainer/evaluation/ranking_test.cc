#include "trainer/evaluation/ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "common/random.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A link's score: a fixed small number made of its ends, with many ties.
float HashScore(const Link& link) {
  return static_cast<float>(
      CombineHash(link.source * 31 + link.relation, link.target) % 17);
}

absl::Status ScoreByHash(std::span<const Link> links, std::span<float> scores) {
  for (size_t i = 0; i < links.size(); ++i) scores[i] = HashScore(links[i]);
  return absl::OkStatus();
}

// The filtered rank by its definition: place in the sorted list, ties averaged.
double ExpectedRank(const RankingQuery& query, NodeId target,
                    const std::vector<NodeId>& candidates) {
  const float score = HashScore({query.source, query.relation, target});
  std::vector<float> others;
  for (const NodeId candidate : candidates) {
    const auto in = [&](const std::vector<NodeId>& nodes) {
      return std::count(nodes.begin(), nodes.end(), candidate) > 0;
    };
    if (in(query.known) || in(query.targets)) continue;
    others.push_back(HashScore({query.source, query.relation, candidate}));
  }
  std::sort(others.begin(), others.end(), std::greater<>());
  const auto [first, last] =
      std::equal_range(others.begin(), others.end(), score, std::greater<>());
  const double best = static_cast<double>(first - others.begin()) + 1;
  const double worst = static_cast<double>(last - others.begin()) + 1;
  return (best + worst) / 2;
}

std::vector<RankingQuery> RandomQueries() {
  Random random(3);
  std::vector<RankingQuery> queries(50);
  for (RankingQuery& query : queries) {
    query.source = random.Below(60);
    query.relation = static_cast<RelationId>(random.Below(3));
    for (uint32_t i = 0; i < 1 + random.Below(3); ++i) {
      query.targets.push_back(20 * i + random.Below(20));
    }
    for (uint32_t i = 0; i < random.Below(10); ++i) {
      query.known.push_back(random.Below(60));
    }
  }
  return queries;
}

TEST(RankingTest, RanksEqualTheirDefinition) {
  const std::vector<RankingQuery> queries = RandomQueries();
  std::vector<NodeId> candidates;
  for (NodeId node = 0; node < 60; node += 2) candidates.push_back(node);
  for (const int threads : {1, 4}) {
    const auto result =
        EvaluateRanking(queries, candidates, 60, ScoreByHash, {threads});
    ASSERT_TRUE(result.ok()) << result.status();
    RankingMetrics expected;
    for (size_t i = 0; i < queries.size(); ++i) {
      ASSERT_EQ(result->ranks[i].size(), queries[i].targets.size());
      for (size_t j = 0; j < queries[i].targets.size(); ++j) {
        const double rank =
            ExpectedRank(queries[i], queries[i].targets[j], candidates);
        EXPECT_DOUBLE_EQ(result->ranks[i][j], rank);
        expected.Add(rank);
      }
    }
    EXPECT_DOUBLE_EQ(result->metrics.MeanReciprocalRank(),
                     expected.MeanReciprocalRank());
    EXPECT_DOUBLE_EQ(result->metrics.HitsAt(3), expected.HitsAt(3));
  }
}

TEST(RankingTest, ScorerSeesOneSourceAndRelationAtATime) {
  const std::vector<RankingQuery> queries = {{3, 1, {5}, {}}, {4, 2, {6}, {}}};
  const std::vector<NodeId> candidates = {5, 6, 7};
  std::atomic<int> calls = 0;
  const auto result = EvaluateRanking(
      queries, candidates, 8,
      [&](std::span<const Link> links, std::span<float> scores) {
        ++calls;
        for (const Link& link : links) {
          EXPECT_EQ(link.source, links[0].source);
          EXPECT_EQ(link.relation, links[0].relation);
        }
        return ScoreByHash(links, scores);
      });
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(calls, 2);
}

TEST(RankingTest, ScorerErrorIsReturned) {
  const std::vector<RankingQuery> queries = RandomQueries();
  const std::vector<NodeId> candidates = {1, 2, 3};
  const auto result = EvaluateRanking(
      queries, candidates, 60, [](std::span<const Link>, std::span<float>) {
        return absl::ResourceExhaustedError("no memory");
      });
  EXPECT_EQ(result.status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(RankingTest, NodesOutsideTheCatalogueAreRefused) {
  const std::vector<NodeId> candidates = {1, 2};
  for (const RankingQuery& query :
       {RankingQuery{9, 0, {1}, {}}, RankingQuery{0, 0, {9}, {}}}) {
    const auto result =
        EvaluateRanking({&query, 1}, candidates, 5, ScoreByHash);
    EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(result.status().message()), HasSubstr(" 9 "));
  }
  const RankingQuery query = {0, 0, {1}, {}};
  EXPECT_EQ(
      EvaluateRanking({&query, 1}, candidates, 2, ScoreByHash).status().code(),
      absl::StatusCode::kInvalidArgument);
}

TEST(RankingTest, QueriesAreGroupedAndFiltered) {
  const auto snapshot = ToySnapshot();
  const auto link = [&](const char* source, const char* target) {
    return ToyLink(*snapshot, source, "tagged", target);
  };
  // libssl-dev is tagged role::devel-lib in the graph already.
  const std::vector<Link> held_out = {
      link("libssl-dev", "web::browser"), link("curl", "web::browser"),
      link("curl", "role::devel-lib"), link("curl", "web::browser")};
  const std::vector<Link> others = {link("libssl-dev", "role::devel-lib"),
                                    link("firefox", "role::devel-lib")};
  const auto queries = MakeRankingQueries(*snapshot, held_out, others);
  ASSERT_EQ(queries.size(), 2u);
  const NodeId browser = ToyNode(*snapshot, "web::browser");
  const NodeId devel = ToyNode(*snapshot, "role::devel-lib");
  EXPECT_EQ(queries[0].source, ToyNode(*snapshot, "libssl-dev"));
  EXPECT_THAT(queries[0].targets, ElementsAre(browser));
  EXPECT_THAT(queries[0].known, testing::Contains(devel));
  EXPECT_THAT(queries[1].targets, ElementsAre(browser, devel));
  EXPECT_THAT(queries[1].known, IsEmpty());
}

std::vector<RankingQuery> ManyQueries(NodeId count) {
  std::vector<RankingQuery> queries;
  for (NodeId source = 0; source < count; ++source) {
    queries.push_back({source, 0, {source + 1, source + 2}, {source}});
  }
  return queries;
}

std::vector<NodeId> SourcesOf(const std::vector<RankingQuery>& queries) {
  std::vector<NodeId> sources;
  for (const RankingQuery& query : queries) sources.push_back(query.source);
  return sources;
}

TEST(RankingTest, ASampleHasWholeQuestionsInTheirOrder) {
  const auto sample = SampleQueries(ManyQueries(100), 30, 1);
  ASSERT_EQ(sample.size(), 30u);
  for (size_t i = 0; i < sample.size(); ++i) {
    const NodeId source = sample[i].source;
    EXPECT_EQ(sample[i].targets, (std::vector<NodeId>{source + 1, source + 2}));
    EXPECT_EQ(sample[i].known, std::vector<NodeId>{source});
    if (i > 0) {
      EXPECT_LT(sample[i - 1].source, source);
    }
  }
  EXPECT_GT(sample.back().source, 60u);  // of all, not of the first
}

TEST(RankingTest, ASeedDrawsTheSameSampleAgain) {
  const auto sources = SourcesOf(SampleQueries(ManyQueries(100), 30, 1));
  EXPECT_EQ(SourcesOf(SampleQueries(ManyQueries(100), 30, 1)), sources);
  EXPECT_NE(SourcesOf(SampleQueries(ManyQueries(100), 30, 2)), sources);
}

TEST(RankingTest, ALargerSampleHoldsTheSmallerOne) {
  const auto small = SourcesOf(SampleQueries(ManyQueries(100), 30, 1));
  const auto large = SourcesOf(SampleQueries(ManyQueries(100), 60, 1));
  EXPECT_TRUE(
      std::includes(large.begin(), large.end(), small.begin(), small.end()));
}

TEST(RankingTest, ASampleOfMoreThanThereAreIsAll) {
  EXPECT_EQ(SourcesOf(SampleQueries(ManyQueries(10), 10, 1)),
            SourcesOf(ManyQueries(10)));
  EXPECT_EQ(SampleQueries(ManyQueries(10), 11, 1).size(), 10u);
  EXPECT_TRUE(SampleQueries({}, 3, 1).empty());
}

}  // namespace
}  // namespace slice
