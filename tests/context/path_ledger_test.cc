#include "context/path_ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "common/random.h"
#include "tests/context/hidings.h"
#include "tests/testing/brute_path_count.h"

namespace slice {
namespace {

constexpr double kTolerance = 1e-6;
// No node of the test graphs has as many neighbours.
constexpr PathFanOut kUnbounded = {1000, 1000, 1000};

void ExpectNear(const TwoPathSums& a, const TwoPathSums& b) {
  EXPECT_NEAR(a.count, b.count, kTolerance);
  EXPECT_NEAR(a.weight, b.weight, kTolerance);
}
void ExpectNear(const ThreePathSums& a, const ThreePathSums& b) {
  EXPECT_NEAR(a.count, b.count, kTolerance * (1 + a.count));
  EXPECT_NEAR(a.root_weight, b.root_weight, kTolerance);
  EXPECT_NEAR(a.weight, b.weight, kTolerance);
}
void ExpectNear(const PathSums& a, const PathSums& b) {
  ExpectNear(a.common.all, b.common.all);
  EXPECT_NEAR(a.common.adamic_adar, b.common.adamic_adar, kTolerance);
  ExpectNear(a.common.first_relation, b.common.first_relation);
  ExpectNear(a.common.last_relation, b.common.last_relation);
  ExpectNear(a.common.alike, b.common.alike);
  ExpectNear(a.three.all, b.three.all);
  ExpectNear(a.three.first_relation, b.three.first_relation);
  ExpectNear(a.three.last_relation, b.three.last_relation);
  ExpectNear(a.three.both_relations, b.three.both_relations);
  ExpectNear(a.three.there_and_back, b.three.there_and_back);
  ExpectNear(a.three.first_relation_alike, b.three.first_relation_alike);
  ExpectNear(a.three.last_relation_alike, b.three.last_relation_alike);
}

// Sums by definition, from a plain set of links: a choice of inner nodes counts
// for a kind when one of its paths that are kept is of the kind.
class PlainSums {
 public:
  PlainSums(const GraphSnapshot& graph, const Link& query,
            const PathFilter& filter)
      : links_(LinkSet(graph)),
        relations_(static_cast<int>(graph.relation_count())),
        r_(query.relation + 1),
        filter_(filter) {
    const auto nodes = static_cast<NodeId>(graph.node_count());
    const auto [u, v] = std::pair(query.source, query.target);
    for (NodeId x = 0; x < nodes; ++x) {
      if (x == u || x == v) continue;
      AddTwo(KeptTypes({u, x, v}), Degree(x, nodes));
      for (NodeId y = 0; y < nodes; ++y) {
        if (y == u || y == v || y == x) continue;
        const double product = Degree(x, nodes) * Degree(y, nodes);
        if (product > 0) AddThree(KeptTypes({u, x, y, v}), std::sqrt(product));
      }
    }
  }
  PathSums sums;

 private:
  bool Steps(NodeId from, int step, NodeId to) const {
    const auto relation = static_cast<RelationId>(std::abs(step) - 1);
    return links_.contains(step > 0 ? Link{from, relation, to}
                                    : Link{to, relation, from});
  }
  double Degree(NodeId x, NodeId nodes) const {
    double degree = 0;
    for (NodeId other = 0; other < nodes; ++other) {
      bool joined = false;
      for (int step = -relations_; step <= relations_; ++step) {
        joined |= step != 0 && other != x && Steps(x, step, other);
      }
      degree += joined;
    }
    return degree;
  }
  std::vector<PathType> KeptTypes(const std::vector<NodeId>& nodes) const {
    std::vector<PathType> types = {{0, 0, 0}};
    for (size_t i = 0; i + 1 < nodes.size(); ++i) {
      std::vector<PathType> longer;
      for (PathType type : types) {
        for (int step = -relations_; step <= relations_; ++step) {
          if (step == 0 || !Steps(nodes[i], step, nodes[i + 1])) continue;
          type[i] = step;
          longer.push_back(type);
        }
      }
      types = longer;
    }
    std::erase_if(types, [&](const PathType& t) { return !filter_.Keeps(t); });
    return types;
  }
  template <typename Is>
  static bool Any(const std::vector<PathType>& types, Is is) {
    return std::any_of(types.begin(), types.end(), is);
  }

  void AddTwo(const std::vector<PathType>& types, double degree) {
    if (types.empty()) return;
    sums.common.all.Add(1, 1 / degree);
    sums.common.adamic_adar += 1 / std::log(std::max(degree, 2.0));
    if (Any(types, [&](const PathType& t) { return t[0] == r_; }))
      sums.common.first_relation.Add(1, 1 / degree);
    if (Any(types, [&](const PathType& t) { return t[1] == r_; }))
      sums.common.last_relation.Add(1, 1 / degree);
    if (Any(types, [&](const PathType& t) { return t[0] == -t[1]; }))
      sums.common.alike.Add(1, 1 / degree);
  }
  void AddThree(const std::vector<PathType>& types, double root) {
    if (types.empty()) return;
    ThreePathEvidence& three = sums.three;
    three.all.Add(1, 1 / root);
    const auto add = [&](ThreePathSums& to, auto is) {
      if (Any(types, is)) to.Add(1, 1 / root);
    };
    add(three.first_relation, [&](const PathType& t) { return t[0] == r_; });
    add(three.last_relation, [&](const PathType& t) { return t[2] == r_; });
    add(three.both_relations,
        [&](const PathType& t) { return t[0] == r_ && t[2] == r_; });
    add(three.there_and_back, [&](const PathType& t) {
      return t == PathType{r_, -r_, r_};
    });
    add(three.first_relation_alike,
        [&](const PathType& t) { return t[0] == r_ && t[1] == -t[2]; });
    add(three.last_relation_alike,
        [&](const PathType& t) { return t[2] == r_ && t[0] == -t[1]; });
  }

  const std::set<Link> links_;
  const int relations_;
  const int r_;
  const PathFilter& filter_;
};

// A few types, some of which occur.
std::vector<PathType> DrawTypes(size_t relations, Random& random) {
  std::vector<PathType> types;
  const auto step = [&] {
    const int relation =
        1 + static_cast<int>(random.Below(static_cast<uint32_t>(relations)));
    return random.Below(2) == 0 ? relation : -relation;
  };
  for (int i = 0; i < 12; ++i) {
    types.push_back({step(), step(), i % 3 == 0 ? 0 : step()});
  }
  return types;
}

RandomMultigraphOptions SmallGraph() {
  RandomMultigraphOptions options;
  options.nodes = 14;
  options.links = 70;
  options.relations = 3;
  return options;
}

TEST(PathLedger, WithoutAFilterHasTheSumsOfPathEvidence) {
  const PathRules rules(
      {{0, {1, 1, 0}}, {0, {1, 2, -2}}, {1, {-1, 1, 2}}, {1, {2, -2, 2}}},
      std::vector<PathRules::Confidences>(
          4,
          {{{0.1f, 0.2f, 0.3f, 0.4f, 0.5f}, {0.2f, 0.3f, 0.4f, 0.5f, 0.6f}}}));
  for (const PathFanOut& fan_out : {kUnbounded, PathFanOut{4, 3, 3}}) {
    Random random(1);
    ForEachHidingCase({}, 4, 8, [&](const HidingCase& test) {
      if (test.query.source == test.query.target) return;
      const GraphView view = test.View();
      PathEvidence evidence;
      evidence.Open(view, test.query, fan_out, &rules);
      const PathSums expected = evidence.Sum();
      const std::vector<PathType> tracked = DrawTypes(4, random);
      const PathLedger ledger(view, test.query, fan_out, tracked, &rules);
      PathFilter filter;
      const LedgerSums sums = ledger.Sum(filter);
      ExpectNear(sums.paths, expected);
      EXPECT_EQ(ledger.paths(1), sums.forward + sums.backward);
      EXPECT_NEAR(ledger.paths(2), expected.common.all.count, kTolerance);
      EXPECT_NEAR(ledger.paths(3), expected.three.all.count,
                  kTolerance * (1 + expected.three.all.count));
      if (sums.forward + sums.backward > 0) return;  // rules of one link
      for (int known = 0; known < 2; ++known) {
        EXPECT_NEAR(sums.paths.rules.noisy_or[known],
                    expected.rules.noisy_or[known], 1e-4);
        EXPECT_EQ(sums.paths.rules.best[known], expected.rules.best[known]);
      }
      EXPECT_EQ(sums.paths.rules.rules, expected.rules.rules);
      EXPECT_EQ(ledger.source_degree(), evidence.source_degree());
      EXPECT_EQ(ledger.target_degree(), evidence.target_degree());
    });
  }
}

TEST(PathLedger, LeavesOutThePathsOfTypesAsCountedByHand) {
  Random random(2);
  size_t changed = 0;
  ForEachHidingCase(SmallGraph(), 3, 4, [&](const HidingCase& test) {
    if (test.query.source == test.query.target) return;
    const std::vector<PathType> tracked = DrawTypes(3, random);
    const PathLedger ledger(test.View(), test.query, kUnbounded, tracked,
                            nullptr);
    for (const bool keep : {false, true}) {
      PathFilter filter;
      filter.keep_named = keep;
      for (const PathType& type : tracked) {
        if (random.Below(2) == 0) filter.types.push_back(type);
      }
      filter.lengths[2] = random.Below(4) == 0;
      filter.lengths[3] = random.Below(4) == 0;
      const PathSums expected =
          PlainSums(*test.rebuilt, test.query, filter).sums;
      const LedgerSums sums = ledger.Sum(filter);
      ExpectNear(sums.paths, expected);
      EXPECT_EQ(ledger.Shortest(filter), sums.forward + sums.backward > 0 ? 1
                                         : expected.common.all.count > 0  ? 2
                                         : expected.three.all.count > 0   ? 3
                                                                          : 0);
      changed +=
          expected.three.all.count != ledger.Sum({}).paths.three.all.count;
    }
  });
  EXPECT_GT(changed, 20u);
}

TEST(PathLedger, LeavesOutTheRulesOfTheTypes) {
  const std::vector<PathRule> listed = {{0, {1, 2, 0}}, {0, {1, 2, -2}}};
  const PathRules rules(listed, std::vector<PathRules::Confidences>(
                                    2, {{{0.5f, 0.5f, 0.5f, 0.5f, 0.5f},
                                         {0.5f, 0.5f, 0.5f, 0.5f, 0.5f}}}));
  size_t lost = 0;
  ForEachHidingCase(SmallGraph(), 3, 8, [&](const HidingCase& test) {
    const Link query = {test.query.source, 0, test.query.target};
    const PathType tracked[] = {listed[1].path};
    const PathLedger ledger(test.View(), query, kUnbounded, tracked, &rules);
    const float whole = ledger.Sum({}).paths.rules.rules;
    float without = 0;
    for (const PathRule& rule : listed) {
      const PathFilter filter{{rule.path}};
      without = ledger.Sum(filter).paths.rules.rules;
      EXPECT_TRUE(without == whole || without == whole - 1);
      lost += without != whole;
    }
  });
  EXPECT_GT(lost, 5u);
}

}  // namespace
}  // namespace slice
