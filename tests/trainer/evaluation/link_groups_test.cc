#include "trainer/evaluation/link_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/random.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;

std::string NameOf(const LinkGrouping& grouping, size_t link) {
  return grouping.names[grouping.group[link]];
}

TEST(LinkGroupsTest, RelationsAreNamed) {
  const auto graph = ToySnapshot();
  const Link links[] = {ToyLink(*graph, "curl", "depends", "libcurl4"),
                        ToyLink(*graph, "firefox", "tagged", "web::browser")};
  const LinkGrouping grouping = GroupByRelation(*graph, links);
  EXPECT_EQ(NameOf(grouping, 0), "depends");
  EXPECT_EQ(NameOf(grouping, 1), "tagged");
}

TEST(LinkGroupsTest, AnEndWithoutALinkIsCold) {
  const auto graph = ToySnapshot();
  const Link links[] = {ToyLink(*graph, "curl", "depends", "lonely"),
                        ToyLink(*graph, "lonely", "depends", "curl"),
                        ToyLink(*graph, "curl", "depends", "firefox"),
                        // A self loop alone is a link.
                        ToyLink(*graph, "privoxy", "depends", "curl")};
  EXPECT_THAT(GroupByColdness(*graph, links).group, ElementsAre(1, 1, 0, 0));
}

TEST(LinkGroupsTest, PairsLinkedOtherwiseAreToldFromReversedOnes) {
  const auto graph = ToySnapshot();
  const Link links[] = {
      ToyLink(*graph, "libcurl4", "depends", "curl"),   // curl depends libcurl4
      ToyLink(*graph, "curl", "suggests", "libssl3"),   // linked otherwise
      ToyLink(*graph, "curl", "depends", "firefox"),    // not linked
      ToyLink(*graph, "privoxy", "depends", "privoxy")  // a self loop
  };
  EXPECT_THAT(GroupByPairLinks(*graph, links).group, ElementsAre(1, 2, 0, 0));
}

TEST(LinkGroupsTest, DistancesAreNamedByHops) {
  const int16_t distances[] = {2, -1, 3, 7, 40};
  const LinkGrouping grouping = GroupByDistance(distances);
  std::vector<std::string> names;
  for (size_t i = 0; i < 5; ++i) names.push_back(NameOf(grouping, i));
  EXPECT_THAT(names, ElementsAre("2", "none", "3", "7+", "7+"));
  EXPECT_THAT(GroupByPath(distances).group, ElementsAre(0, 1, 0, 0, 0));
}

TEST(LinkGroupsTest, DegreesDoubleFromGroupToGroup) {
  const Link none[] = {};
  const LinkGrouping grouping =
      GroupByDegree(*ToySnapshot(), std::span(none, 0));
  EXPECT_THAT(grouping.names,
              ElementsAre("0", "1", "2-3", "4-7", "8-15", "16-31", "32-63",
                          "64-127", "128-255", "256+"));
}

// Against a graph rebuilt without the pair.
TEST(LinkGroupsTest, DegreeLeavesThePairOut) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    const GraphData data = RandomMultigraph({.nodes = 25, .links = 120}, seed);
    const auto graph = BuildSnapshotOrDie(data);
    Random random(seed);
    for (int i = 0; i < 40; ++i) {
      const Link link = {random.Below(25), 0, random.Below(25)};
      const auto rebuilt =
          BuildSnapshotOrDie(RebuildWithout(data, [&](const Link& other) {
            return link.source != link.target &&
                   std::minmax(other.source, other.target) ==
                       std::minmax(link.source, link.target);
          }));
      const size_t degree =
          std::min(rebuilt->DistinctNeighbors(link.source).size(),
                   rebuilt->DistinctNeighbors(link.target).size());
      size_t group = 0;
      for (size_t low = 1; low <= degree; low *= 2) ++group;
      EXPECT_EQ(GroupByDegree(*graph, {&link, 1}).group[0],
                static_cast<int32_t>(std::min<size_t>(group, 9)));
    }
  }
}

}  // namespace
}  // namespace slice
