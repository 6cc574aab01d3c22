#include "graphstore/graph_summary.h"

#include <map>
#include <set>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;

TEST(GraphSummaryTest, CountsTheToyGraph) {
  const auto graph = ToySnapshot();
  const GraphSummary summary = SummarizeGraph(*graph, 2);
  EXPECT_THAT(summary.type_nodes, ElementsAre(10, 1, 2));
  const RelationSummary& depends = summary.relations[0];
  EXPECT_EQ(depends.links, 6);
  EXPECT_EQ(depends.sources, 5);
  EXPECT_EQ(depends.targets, 2);
  EXPECT_EQ(summary.self_loops, 1);
  EXPECT_EQ(summary.unlinked_nodes, 2);
  ASSERT_EQ(summary.hubs.size(), 2);
  EXPECT_EQ(summary.hubs[0].node, ToyNode(*graph, "libssl3"));
  EXPECT_EQ(summary.hubs[0].links, 7);
}

TEST(GraphSummaryTest, AgreesWithPlainCounting) {
  const GraphData data = RandomMultigraph({.links = 400}, 11);
  const std::set<Link> links(data.links.begin(), data.links.end());
  const auto graph = BuildSnapshotOrDie(data);
  const GraphSummary summary = SummarizeGraph(*graph);
  std::map<NodeId, uint64_t> degrees;
  std::map<RelationId, std::set<NodeId>> sources, targets;
  uint64_t loops = 0;
  for (const Link& link : links) {
    ++degrees[link.source];
    ++degrees[link.target];
    sources[link.relation].insert(link.source);
    targets[link.relation].insert(link.target);
    loops += link.source == link.target;
  }
  EXPECT_EQ(summary.self_loops, loops);
  for (RelationId r = 0; r < graph->relation_count(); ++r) {
    EXPECT_EQ(summary.relations[r].sources, sources[r].size());
    EXPECT_EQ(summary.relations[r].targets, targets[r].size());
  }
  uint64_t nodes = 0;
  for (const DegreeBucket& bucket : summary.degrees) {
    uint64_t expected = 0;
    for (NodeId node = 0; node < graph->node_count(); ++node)
      expected += degrees[node] >= bucket.low && degrees[node] <= bucket.high;
    EXPECT_EQ(bucket.nodes, expected) << bucket.low;
    nodes += bucket.nodes;
  }
  EXPECT_EQ(nodes, graph->node_count());
  ASSERT_EQ(summary.hubs.size(), 10);
  for (size_t i = 1; i < summary.hubs.size(); ++i)
    EXPECT_GE(summary.hubs[i - 1].links, summary.hubs[i].links);
  for (const Hub& hub : summary.hubs) EXPECT_EQ(hub.links, degrees[hub.node]);
}

}  // namespace
}  // namespace slice
