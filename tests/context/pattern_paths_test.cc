#include "context/pattern_paths.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/context/brute_paths.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

constexpr RandomMultigraphOptions kSmall = {
    .nodes = 16, .links = 60, .relations = 2, .hubs = 1, .isolated = 1};
constexpr PathSearchLimits kUnbounded = {6, 500, 1 << 30};

bool HasStep(const std::vector<Link>& links, int32_t step, NodeId from,
             NodeId to) {
  const auto relation = static_cast<RelationId>(std::abs(step) - 1);
  const Link link =
      step > 0 ? Link{from, relation, to} : Link{to, relation, from};
  return std::binary_search(links.begin(), links.end(), link);
}

std::vector<std::vector<int32_t>> AllSequences(int relations, int steps) {
  std::vector<std::vector<int32_t>> sequences = {{}};
  for (int i = 0; i < steps; ++i) {
    std::vector<std::vector<int32_t>> longer;
    for (const auto& sequence : sequences) {
      for (int32_t step = -relations; step <= relations; ++step) {
        if (step == 0) continue;
        longer.push_back(sequence);
        longer.back().push_back(step);
      }
    }
    sequences = longer;
  }
  return sequences;
}

TEST(FindPathsAlong, FindsExactlyThePathsThatFollowTheRelations) {
  size_t found = 0;
  ForEachHidingCase(kSmall, 4, 6, [&](const HidingCase& test) {
    if (test.query.source == test.query.target) return;
    const std::vector<Link> links = VisibleLinkList(test);
    const auto neighbors = NeighborSets(links, test.snapshot->node_count());
    const GraphView view = test.View();
    for (const int length : {2, 3}) {
      for (const auto& steps : AllSequences(2, length)) {
        auto expected = BrutePaths(test.snapshot->node_count(), test.query,
                                   length, [&](int i, NodeId a, NodeId b) {
                                     return HasStep(links, steps[i], a, b);
                                   });
        SortBySpecificity(neighbors, expected);
        bool truncated = false;
        const auto paths =
            FindPathsAlong(view, kUnbounded, test.query, steps, &truncated);
        ASSERT_EQ(paths.size(), expected.size()) << test.hiding;
        for (size_t i = 0; i < paths.size(); ++i) {
          EXPECT_EQ(paths[i].inner, expected[i]);
        }
        EXPECT_FALSE(truncated);
        found += paths.size();
      }
    }
  });
  EXPECT_GT(found, 1000u);
}

TEST(FindPatternNodes, FollowsTheMetapathsThatServeTheRelationInOrder) {
  const auto graph = ToySnapshot();
  const auto& relations = graph->relations();
  const Link link = ToyLink(*graph, "curl", "depends", "libcurl4");
  GraphView view(*graph);
  view.HidePair(link.source, link.target);
  const auto nodes = [&](std::vector<std::string> texts, size_t room) {
    std::vector<Metapath> metapaths;
    for (const std::string& text : texts) {
      metapaths.push_back(*ParseMetapath(text, relations));
    }
    std::vector<std::string> keys;
    for (const NodeId node :
         FindPatternNodes(view, {}, metapaths, link, room).nodes) {
      keys.push_back(graph->Key(node));
    }
    return keys;
  };
  using Keys = std::vector<std::string>;
  const std::string by_team = "maintained-by,^maintained-by";
  const std::string by_need = "depends,^depends";
  EXPECT_EQ(nodes({by_team, by_need}, 10), (Keys{"web:team", "libssl3"}));
  EXPECT_EQ(nodes({by_need, by_team}, 10), (Keys{"libssl3", "web:team"}));
  EXPECT_EQ(nodes({by_need, by_team}, 1), (Keys{"libssl3"}));
  EXPECT_EQ(nodes({"recommends=" + by_team, "depends=" + by_need}, 10),
            (Keys{"libssl3"}));
  EXPECT_EQ(nodes({"depends,depends"}, 10), Keys{});
}

TEST(FindPatternNodes, SamplesHubs) {
  GraphData data;
  data.catalogue.relations = {"r"};
  data.catalogue.node_types = {"node"};
  for (int i = 0; i < 300; ++i) {
    data.catalogue.nodes.push_back(
        {.key = "n" + std::to_string(i), .name = "", .type = 0});
  }
  for (NodeId node = 2; node < 300; ++node) {
    data.links.push_back({0, 0, node});
    data.links.push_back({1, 0, node});
  }
  const auto graph = BuildSnapshotOrDie(data);
  const Metapath shared{kAnyRelation, {1, -1}};
  const NodesBetween between = FindPatternNodes(
      GraphView(*graph), {6, 10, 20000}, {&shared, 1}, {0, 0, 1}, 30);
  EXPECT_EQ(between.nodes.size(), 10u);
  EXPECT_TRUE(between.truncated);
  EXPECT_EQ(between.hops, 2);
}

TEST(CommonMetapaths, AreThoseThatJoinTheMostLinks) {
  const GraphData data = RandomMultigraph(kSmall, 5);
  const auto graph = BuildSnapshotOrDie(data);
  std::set<Link> distinct(data.links.begin(), data.links.end());
  const std::vector<Link> links(distinct.begin(), distinct.end());
  std::map<std::pair<int, std::vector<int32_t>>, int> counts;
  for (const Link& link : links) {
    if (link.source == link.target) continue;
    std::vector<Link> others = links;
    std::erase_if(others, [&](const Link& other) {
      return IsHiddenBy(Hiding::kPair, link, other);
    });
    for (const int length : {2, 3}) {
      for (const auto& steps : AllSequences(2, length)) {
        counts[{link.relation, steps}] +=
            !BrutePaths(graph->node_count(), link, length,
                        [&](int i, NodeId a, NodeId b) {
                          return HasStep(others, steps[i], a, b);
                        })
                 .empty();
      }
    }
  }
  const auto common = CommonMetapaths(*graph, links, 3, 4);
  ASSERT_EQ(common.size(), 8u);
  for (int relation = 0; relation < 2; ++relation) {
    std::vector<int> best, got;
    for (const auto& [key, count] : counts) {
      if (key.first == relation) best.push_back(count);
    }
    std::sort(best.rbegin(), best.rend());
    best.resize(4);
    for (int i = 0; i < 4; ++i) {
      const Metapath& metapath = common[4 * relation + i];
      EXPECT_EQ(metapath.asked, relation);
      got.push_back(counts[{relation, metapath.steps}]);
    }
    EXPECT_EQ(got, best);
  }
}

}  // namespace
}  // namespace slice
