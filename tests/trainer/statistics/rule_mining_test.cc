#include "trainer/statistics/rule_mining.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>

#include "tests/testing/brute_path_count.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

constexpr int kFolds = 3;

RuleMiningOptions EveryQuestion() {
  RuleMiningOptions options;
  options.discovery_links = options.least_questions = 1000000;
  options.work = uint64_t{1} << 60;
  return options;
}

// The hits and misses of one rule, by bucket, counted by the definition.
std::array<std::array<double, 2>, PathRules::kBuckets> BruteTally(
    const std::set<Link>& links, NodeId nodes, const PathRule& rule,
    bool target_asked, const LinkFolds& folds, int without_fold) {
  std::array<std::array<double, 2>, PathRules::kBuckets> tally = {};
  for (const Link& link : links) {
    if (link.relation != rule.relation || link.source == link.target) continue;
    if (folds.FoldOf(link) == without_fold) continue;
    const NodeId anchor = target_asked ? link.source : link.target;
    const NodeId answer = target_asked ? link.target : link.source;
    for (NodeId node = 0; node < nodes; ++node) {
      const Link other = target_asked ? Link{anchor, rule.relation, node}
                                      : Link{node, rule.relation, anchor};
      if (node == anchor || (node != answer && links.contains(other))) continue;
      const int count = BrutePathCount(
          links, nodes, anchor, node,
          target_asked ? rule.path : Reversed(rule.path), answer);
      if (count == 0) continue;
      ++tally[PathRules::BucketOf(count)][node == answer ? 0 : 1];
    }
  }
  return tally;
}

TEST(MinePathRules, MeasuresHowOftenRulesHoldWithAndWithoutEachFold) {
  RandomMultigraphOptions graph_options;
  graph_options.nodes = 25;
  graph_options.relations = 2;
  const auto graph = BuildSnapshotOrDie(RandomMultigraph(graph_options, 6));
  const auto nodes = static_cast<NodeId>(graph->node_count());
  const std::set<Link> links = LinkSet(*graph);
  const LinkFolds folds(kFolds, 4);
  const auto mined = MinePathRules(*graph, folds, EveryQuestion());
  ASSERT_EQ(mined.size(), size_t{kFolds} + 1);
  ASSERT_GT(mined[0].rules().size(), 20u);
  int differ = 0;
  for (int fold = 0; fold <= kFolds; ++fold) {
    for (size_t i = 0; i < mined[fold].rules().size(); ++i) {
      for (const Direction known : {Direction::kOut, Direction::kIn}) {
        const auto tally = BruteTally(links, nodes, mined[fold].rules()[i],
                                      known == Direction::kOut, folds, fold);
        double hits = 0, all = 0;
        for (const auto& [hit, miss] : tally) {
          hits += hit;
          all += hit + miss;
        }
        const double prior = hits / (all + 5);
        for (size_t b = 0; b < PathRules::kBuckets; ++b) {
          const auto& [hit, miss] = tally[b];
          EXPECT_NEAR(mined[fold].confidence(i, known, b),
                      (hit + 5 * prior) / (hit + miss + 5), 1e-5);
        }
        differ += mined[fold].confidence(i, known, 0) !=
                  mined[kFolds].confidence(i, known, 0);
      }
    }
  }
  EXPECT_GT(differ, 20);
}

TEST(MinePathRules, FindsThePathsThatJoinTheEndsOfLinks) {
  const auto graph = BuildSnapshotOrDie(RandomMultigraph({.links = 250}, 2));
  const auto nodes = static_cast<NodeId>(graph->node_count());
  const std::set<Link> links = LinkSet(*graph);
  const auto rules = MinePathRules(*graph, {1, 0}, EveryQuestion()).back();
  const auto support = [&](const PathRule& rule) {
    int joined = 0;
    for (const Link& link : links) {
      if (link.relation != rule.relation || link.source == link.target)
        continue;
      joined +=
          BrutePathCount(links, nodes, link.source, link.target, rule.path) > 0;
    }
    return joined;
  };
  for (const PathRule& rule : rules.rules()) {
    EXPECT_TRUE(IsRulePath(rule.relation, rule.path));
    EXPECT_NE(rule.path[1], 0) << "a rule of one link, though pairs are hidden";
    EXPECT_GE(support(rule), 2);
  }
  for (RelationId relation = 0; relation < 4; ++relation) {
    for (int32_t a = -4; a <= 4; ++a) {
      for (int32_t b = -4; b <= 4 && a != 0; ++b) {
        const PathRule rule{relation, {a, b, 0}};
        if (b == 0) continue;
        EXPECT_EQ(rules.Find(rule).has_value(), support(rule) >= 2);
      }
    }
  }
}

TEST(MinePathRules, MakesRulesOfOneLinkWhenOtherLinksOfThePairAreShown) {
  RandomMultigraphOptions options;
  options.parallel_rate = 0.5;
  const auto graph = BuildSnapshotOrDie(RandomMultigraph(options, 3));
  RuleMiningOptions mining = EveryQuestion();
  mining.hide_pair = false;
  const auto rules = MinePathRules(*graph, {2, 0}, mining).back();
  int direct = 0;
  for (const PathRule& rule : rules.rules()) {
    if (rule.path[1] != 0) continue;
    ++direct;
    EXPECT_NE(rule.path[0], SignedRelation(rule.relation, Direction::kOut));
  }
  EXPECT_GT(direct, 4);
}

TEST(MinePathRules, DoesNotDependOnThreads) {
  const auto graph = BuildSnapshotOrDie(RandomMultigraph({.links = 300}, 5));
  RuleMiningOptions options;
  options.questions = options.least_questions = 10;
  const auto one = MinePathRules(*graph, {2, 0}, options);
  options.threads = 3;
  const auto three = MinePathRules(*graph, {2, 0}, options);
  GraphStatistics a, b;
  one.back().AddTo(a);
  three.back().AddTo(b);
  for (const auto& [name, array] : a.arrays()) {
    EXPECT_EQ((*b.Get(name))->values, array.values) << name;
  }
}

// Nodes 0 to 4,199 link to a hub by "in", and the hub links to 4,200 others by
// "out". The questions ask each of the first about four of the others. One
// thread counts 17.6 million wrong answers, more than a float can count.
TEST(MinePathRules, CountsManyMisses) {
  constexpr NodeId kSide = 4200;
  constexpr NodeId kHub = 2 * kSide;
  GraphData data;
  data.catalogue.node_types = {"node"};
  data.catalogue.relations = {"asked", "in", "out"};
  for (NodeId i = 0; i <= kHub; ++i) {
    data.catalogue.nodes.push_back({std::to_string(i), "", 0});
  }
  for (NodeId i = 0; i < kSide; ++i) {
    data.links.push_back({i, 1, kHub});
    data.links.push_back({kHub, 2, kSide + i});
    for (NodeId j = 0; j < 4; ++j) {
      data.links.push_back({i, 0, kSide + (i + j) % kSide});
    }
  }
  RuleMiningOptions mining = EveryQuestion();
  mining.discovery_links = 10;
  mining.threads = 2;
  const auto rules =
      MinePathRules(*BuildSnapshotOrDie(data), {1, 0}, mining).back();
  const auto rule = rules.Find({0, {2, 3, 0}});
  ASSERT_TRUE(rule.has_value());
  // One of 4,200 nodes is the right answer; three are answers of other links.
  EXPECT_NEAR(rules.confidence(*rule, Direction::kOut, 0), 1.0 / (kSide - 3),
              1e-7);
}

}  // namespace
}  // namespace slice
