#include "graphstore/slot_exclusions.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "common/random.h"
#include "graphstore/arc_rows.h"
#include "tests/testing/two_kinds_graph.h"

namespace slice {
namespace {

constexpr GraphSlot kKnower = {0, Direction::kOut};
constexpr GraphSlot kKnown = {0, Direction::kIn};
constexpr GraphSlot kBorn = {1, Direction::kOut};
constexpr GraphSlot kBirthplace = {1, Direction::kIn};
constexpr GraphSlot kPart = {2, Direction::kOut};

SlotExclusions Of(const GraphData& data) {
  return {ArcRows(data, Direction::kOut), ArcRows(data, Direction::kIn),
          data.catalogue.nodes.size(), data.catalogue.relations.size()};
}

TEST(SlotExclusionsTest, SlotsOfTwoKindsShutEachOtherOut) {
  const SlotExclusions exclusions = Of(TwoKindsData());
  EXPECT_FALSE(exclusions.empty());
  EXPECT_TRUE(exclusions.Exclude(kKnower, kBirthplace));
  EXPECT_TRUE(exclusions.Exclude(kBirthplace, kKnown));
  EXPECT_TRUE(exclusions.Exclude(kPart, kBorn));
  EXPECT_FALSE(exclusions.Exclude(kKnower, kBorn));
  EXPECT_FALSE(exclusions.Exclude(kPart, kBirthplace));
  EXPECT_FALSE(exclusions.Exclude(kPart, kPart));
}

TEST(SlotExclusionsTest, OneNodeOfBothEndsTheExclusion) {
  GraphData data = TwoKindsData();
  data.links.push_back({0, 1, 1});  // a person who is a birthplace
  EXPECT_FALSE(Of(data).Exclude(kKnower, kBirthplace));
  EXPECT_TRUE(Of(data).Exclude(kPart, kBorn));
}

TEST(SlotExclusionsTest, FewNodesShowNothing) {
  GraphData data = TwoKindsData();
  data.links.resize(data.links.size() - kPlaces);
  // 10 of 60 nodes: 40 * 10 / 60 = 6.7 would be expected.
  for (NodeId i = 0; i < 10; ++i) {
    data.links.push_back({kPeople + i, 2, kPeople + (i + 1) % 10});
  }
  EXPECT_FALSE(Of(data).Exclude(kKnower, kPart));
  data.links.push_back({kPeople + 10, 2, kPeople});  // 11 of 60: 7.3
  EXPECT_TRUE(Of(data).Exclude(kKnower, kPart));
}

TEST(SlotExclusionsTest, AnEmptyGraphExcludesNothing) {
  GraphData data = TwoKindsData();
  data.links.clear();
  EXPECT_TRUE(Of(data).empty());
  EXPECT_FALSE(Of(data).Exclude(kKnower, kPart));
}

// The two kinds with some links missing and a few between any nodes.
GraphData Disturbed(uint64_t seed) {
  GraphData data = TwoKindsData();
  Random random(seed);
  std::erase_if(data.links, [&](const Link&) { return random.Below(3) == 0; });
  for (uint32_t i = random.Below(4); i > 0; --i) {
    data.links.push_back({random.Below(kPeople + kPlaces),
                          static_cast<RelationId>(random.Below(3)),
                          random.Below(kPeople + kPlaces)});
  }
  return data;
}

// Against the sets of nodes that fill the slots.
TEST(SlotExclusionsTest, AreThoseThatSetsOfNodesSay) {
  int excluded = 0, met = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const GraphData data = Disturbed(seed);
    std::vector<std::set<NodeId>> nodes(6);
    std::set<NodeId> linked;
    for (const Link& link : data.links) {
      nodes[2 * link.relation].insert(link.source);
      nodes[2 * link.relation + 1].insert(link.target);
      linked.insert({link.source, link.target});
    }
    const SlotExclusions exclusions = Of(data);
    for (uint16_t a = 0; a < nodes.size(); ++a) {
      for (uint16_t b = 0; b < nodes.size(); ++b) {
        bool meet = false;
        for (const NodeId node : nodes[a]) meet |= nodes[b].contains(node);
        const bool expected =
            static_cast<double>(nodes[a].size() * nodes[b].size()) >=
            7 * static_cast<double>(linked.size());
        EXPECT_EQ(exclusions.Exclude(
                      {static_cast<RelationId>(a / 2), Direction(a % 2)},
                      {static_cast<RelationId>(b / 2), Direction(b % 2)}),
                  expected && !meet);
        (meet ? met : excluded) += expected ? 1 : 0;
      }
    }
  }
  EXPECT_GT(excluded, 100);
  EXPECT_GT(met, 100);
}

}  // namespace
}  // namespace slice
