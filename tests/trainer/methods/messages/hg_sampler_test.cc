#include "trainer/methods/messages/hg_sampler.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

// Nodes 0 .. types.size() - 1 with these types.
GraphData NodesOf(const std::vector<uint32_t>& types) {
  GraphData data;
  data.catalogue.node_types = {"a", "b"};
  data.catalogue.relations = {"likes", "knows"};
  for (size_t i = 0; i < types.size(); ++i) {
    const std::string key = absl::StrCat("n", i);
    data.catalogue.nodes.push_back({key, key, types[i]});
  }
  return data;
}

HgSamplingOptions Options(int rounds, size_t nodes_of_type) {
  HgSamplingOptions options;
  options.rounds = rounds;
  options.nodes_of_type = nodes_of_type;
  options.most_arcs = 100;
  return options;
}

// Node 0 has ten neighbours of type a and one of type b, which has one more.
GraphData Star() {
  std::vector<uint32_t> types(13, 0);
  types[11] = types[12] = 1;
  GraphData data = NodesOf(types);
  for (NodeId node = 1; node <= 11; ++node) data.links.push_back({0, 0, node});
  data.links.push_back({11, 1, 12});
  return data;
}

TEST(HgSamplerTest, ARareTypeIsChosenAsOftenAsACommonOne) {
  const auto snapshot = BuildSnapshotOrDie(Star());
  const MessageGraph graph(*snapshot, {});
  const std::vector<NodeId> wanted = {0};
  std::set<NodeId> common;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    HgSamplingOptions options = Options(1, 1);
    options.seed = seed;
    const std::vector<NodeId> nodes = SampleByBudget(graph, wanted, options);
    ASSERT_EQ(nodes.size(), 3u);
    EXPECT_EQ(nodes[0], 0u);
    common.insert(nodes[1]);
    EXPECT_EQ(nodes[2], 11u);
  }
  EXPECT_GT(common.size(), 7u);
}

TEST(HgSamplerTest, EachRoundGoesOneStepFurther) {
  const auto snapshot = BuildSnapshotOrDie(Star());
  const MessageGraph graph(*snapshot, {});
  const std::vector<NodeId> wanted = {11};
  EXPECT_THAT(SampleByBudget(graph, wanted, Options(1, 50)),
              ElementsAre(11, 0, 12));
  EXPECT_EQ(SampleByBudget(graph, wanted, Options(2, 50)).size(), 13u);
}

TEST(HgSamplerTest, HiddenLinksLeadNowhere) {
  const auto snapshot = BuildSnapshotOrDie(Star());
  const MessageGraph graph(*snapshot, {});
  const LinkFolds folds(4, 7);
  const std::vector<NodeId> wanted = {0};
  HgSamplingOptions options = Options(1, 50);
  const uint32_t hidden = folds.FoldOfPair(0, 5);
  options.hidden = {&folds, hidden};
  std::vector<NodeId> expected = {0};
  for (NodeId node = 1; node <= 11; ++node) {
    if (folds.FoldOfPair(0, node) != hidden) expected.push_back(node);
  }
  EXPECT_LT(expected.size(), 12u);
  EXPECT_EQ(SampleByBudget(graph, wanted, options), expected);
}

// Nodes 0 .. 3 all have an arc to node 4, and node 0 also has arcs to nodes
// 5 .. 8. The budget of node 4 is 3 + 1/5, that of the others is 1/5.
TEST(HgSamplerTest, PrefersNeighboursOfManyChosenNodes) {
  GraphData data = NodesOf(std::vector<uint32_t>(9, 0));
  for (NodeId node = 0; node < 4; ++node) data.links.push_back({node, 0, 4});
  for (NodeId node = 5; node < 9; ++node) data.links.push_back({0, 0, node});
  const auto snapshot = BuildSnapshotOrDie(data);
  const MessageGraph graph(*snapshot, {});
  const std::vector<NodeId> wanted = {0, 1, 2, 3};
  int preferred = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    HgSamplingOptions options = Options(1, 1);
    options.seed = seed;
    preferred += SampleByBudget(graph, wanted, options).back() == 4;
  }
  // 3.2^2 of 3.2^2 + 4 / 5^2 is .985.
  EXPECT_GT(preferred, 90);
}

TEST(HgSamplerTest, NodesAreChosenOnce) {
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph({}, 9));
  const MessageGraph graph(*snapshot, {.self_arcs = true});
  const std::vector<NodeId> wanted = {3, 1, 8};
  HgSamplingOptions options = Options(3, 4);
  options.most_arcs = 2;
  std::vector<NodeId> nodes = SampleByBudget(graph, wanted, options);
  EXPECT_EQ(nodes, SampleByBudget(graph, wanted, options));
  EXPECT_GT(nodes.size(), 10u);
  std::sort(nodes.begin(), nodes.end());
  EXPECT_EQ(std::adjacent_find(nodes.begin(), nodes.end()), nodes.end());
}

}  // namespace
}  // namespace slice
