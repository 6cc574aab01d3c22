#include "graphstore/graph_data.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

TEST(GraphDigestTest, OrderAndRepeatsDoNotMatter) {
  GraphData data = RandomMultigraph({.links = 500}, 1);
  const std::string digest = GraphDigest(data);
  EXPECT_EQ(digest.size(), 64);
  std::reverse(data.links.begin(), data.links.end());
  data.links.push_back(data.links.front());
  EXPECT_EQ(GraphDigest(data), digest);
}

TEST(GraphDigestTest, EveryPartMatters) {
  std::set<std::string> digests = {GraphDigest(ToyGraph())};
  const auto add = [&](auto change) {
    GraphData data = ToyGraph();
    change(data);
    digests.insert(GraphDigest(data));
  };
  add([](GraphData& data) { data.links.pop_back(); });
  add([](GraphData& data) { data.links[0].relation = 1; });
  add([](GraphData& data) {
    std::swap(data.links[0].source, data.links[0].target);
  });
  add([](GraphData& data) { data.catalogue.nodes[3].name = "x"; });
  add([](GraphData& data) { data.catalogue.nodes[3].key = "x"; });
  add([](GraphData& data) { data.catalogue.nodes[3].type = 1; });
  add([](GraphData& data) { data.catalogue.node_types[1] = "x"; });
  add([](GraphData& data) { data.catalogue.relations[1] = "x"; });
  add([](GraphData& data) { data.catalogue.nodes.push_back({"x", "x", 0}); });
  // The same bytes, cut into other strings.
  add([](GraphData& data) { data.catalogue.nodes[0] = {"curlc", "url", 0}; });
  EXPECT_EQ(digests.size(), 11);
}

// The graph is larger than one piece of the digest.
TEST(GraphDigestTest, LongGraphsAreDigestedWhole) {
  const GraphData data = RandomMultigraph({.nodes = 2000, .links = 120'000}, 2);
  GraphData changed = data;
  changed.links.back().target ^= 1;
  EXPECT_NE(GraphDigest(data), GraphDigest(changed));
}

// Bundles hold digests, so a digest must never change. The expected value comes
// from another program, written after the description in
// graphstore/graph_data.cc.
TEST(GraphDigestTest, IsStable) {
  EXPECT_EQ(GraphDigest(ToyGraph()),
            "b9a1453b0692ebc38c36409f3a4d39967d205849fd38cca6e8a0f19ed2ed8721");
  EXPECT_EQ(GraphDigest(GraphData{}),
            "4bafe5ea6278f2ca6542801c635eef652562a0b12eece8929e2ef382b76ef9ab");
}

TEST(SortLinksTest, TheLargestWeightOfARepeatedLinkStays) {
  GraphData data;
  data.links = {{1, 0, 2}, {0, 0, 1}, {1, 0, 2}, {1, 0, 2}};
  data.weights = {2, 5, 3, 0.5};
  EXPECT_EQ(SortLinks(&data), 2);
  EXPECT_EQ(data.links, (std::vector<Link>{{0, 0, 1}, {1, 0, 2}}));
  EXPECT_EQ(data.weights, (std::vector<float>{5, 3}));
}

TEST(SortLinksTest, WeightsThatAreAllOneAreDropped) {
  GraphData data;
  data.links = {{1, 0, 2}, {0, 0, 1}};
  data.weights = {1, 1};
  EXPECT_EQ(SortLinks(&data), 0);
  EXPECT_TRUE(data.weights.empty());
}

TEST(EraseLinksTest, WeightsStayWithTheirLinks) {
  GraphData data;
  data.links = {{0, 0, 1}, {1, 0, 2}, {2, 0, 3}};
  data.weights = {1, 2, 3};
  EraseLinks(&data, [](const Link& link) { return link.source == 1; });
  EXPECT_EQ(data.links, (std::vector<Link>{{0, 0, 1}, {2, 0, 3}}));
  EXPECT_EQ(data.weights, (std::vector<float>{1, 3}));
}

TEST(GraphDigestTest, CoversWeightsThatAreNotOne) {
  GraphData data;
  data.links = {{0, 0, 1}, {1, 0, 2}};
  const std::string plain = GraphDigest(data);
  data.weights = {1, 1};
  EXPECT_EQ(GraphDigest(data), plain);
  data.weights = {1, 2};
  const std::string weighted = GraphDigest(data);
  EXPECT_NE(weighted, plain);
  std::swap(data.links[0], data.links[1]);
  EXPECT_NE(GraphDigest(data), weighted);
  std::swap(data.weights[0], data.weights[1]);
  EXPECT_EQ(GraphDigest(data), weighted);
}

}  // namespace
}  // namespace slice
