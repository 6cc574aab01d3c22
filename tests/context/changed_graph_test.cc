// A question about a changed graph has the same contexts and pair features as
// the question about that graph built anew.
#include <gtest/gtest.h>

#include "context/link_encoder.h"
#include "graphstore/graph_snapshot.h"
#include "tests/testing/random_history.h"
#include "tests/testing/random_multigraph.h"

namespace slice {
namespace {

constexpr OwnPairLinks kOwn[] = {OwnPairLinks::kHide, OwnPairLinks::kReveal,
                                 OwnPairLinks::kShow};

// Links of the graph and pairs that are none.
std::vector<Link> Questions(const GraphData& data, Random& random) {
  std::vector<Link> links;
  const auto nodes = static_cast<uint32_t>(data.catalogue.nodes.size());
  for (int i = 0; i < 12; ++i) {
    if (!data.links.empty()) {
      links.push_back(
          data.links[random.Below(static_cast<uint32_t>(data.links.size()))]);
    }
    links.push_back({random.Below(nodes), static_cast<RelationId>(i % 4),
                     random.Below(nodes)});
  }
  return links;
}

void ExpectSameEncodings(const GraphSnapshot& graph,
                         const GraphSnapshot& expected,
                         const std::vector<Link>& links,
                         const LinkEncoderOptions& options) {
  const LinkEncoder encoder(options, graph.relation_count(),
                            graph.node_type_count(), {});
  for (const Link& link : links) {
    const EncodedLink found = encoder.Encode(graph, link);
    const EncodedLink wanted = encoder.Encode(expected, link);
    ASSERT_EQ(found.contexts, wanted.contexts);
    ASSERT_EQ(found.pair_features, wanted.pair_features);
    ASSERT_EQ(found.flags.exists, wanted.flags.exists);
  }
}

class ChangedGraph : public testing::TestWithParam<uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Seeds, ChangedGraph, testing::Range<uint64_t>(0, 4));

TEST_P(ChangedGraph, IsAskedLikeTheGraphBuiltAnew) {
  const GraphData start = RandomMultigraph(
      {.nodes = 60, .links = 200, .weighted = GetParam() % 2 == 1}, GetParam());
  RandomHistory history(start, GetParam());
  Random random(GetParam());
  auto graph = BuildSnapshotOrDie(start);
  for (int batch = 0; batch < 6; ++batch) {
    auto changed = graph->Apply(history.Next(60), 1);
    ASSERT_TRUE(changed.ok()) << changed.status();
    graph = *std::move(changed);
    const GraphData now = history.Now();
    const auto expected = BuildSnapshotOrDie(now);
    const std::vector<Link> links = Questions(now, random);
    std::vector<float> embeddings(4 * graph->node_count());
    for (float& value : embeddings)
      value = static_cast<float>(random.Uniform() - 0.5);
    for (const ContextStrategy strategy : AllContextStrategies()) {
      for (const OwnPairLinks own : kOwn) {
        LinkEncoderOptions options;
        options.context.strategy = strategy;
        options.context.metapaths = {{kAnyRelation, {1, -2}},
                                     {kAnyRelation, {-1, -1, 2}}};
        options.own_pair_links = own;
        options.embeddings = {embeddings, 4};
        ExpectSameEncodings(*graph, *expected, links, options);
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace slice
