#include "trainer/methods/messages/message_block_builder.h"

#include <map>
#include <numeric>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "trainer/methods/messages/labelled_sources.h"

namespace slice {
namespace {

using ::testing::Each;
using ::testing::ElementsAreArray;
using ::testing::Le;
using ArcSet = std::multiset<std::pair<NodeId, MessageArc>>;

class MessageBlockTest : public testing::Test {
 protected:
  static std::vector<NodeId> AllNodes(const MessageGraph& graph) {
    std::vector<NodeId> nodes(graph.node_count());
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
    return nodes;
  }

  static ArcSet ArcsOf(const MessageBlock& block) {
    ArcSet arcs;
    for (size_t arc = 0; arc < block.arc_count(); ++arc) {
      arcs.insert({block.nodes[block.destination[arc]],
                   {block.nodes[block.source[arc]], block.label[arc]}});
    }
    return arcs;
  }

  const GraphData data_ = RandomMultigraph({}, 3);
  const std::shared_ptr<const GraphSnapshot> snapshot_ =
      BuildSnapshotOrDie(data_);
};

TEST_F(MessageBlockTest, EveryLinkGoesBothWays) {
  const MessageGraph graph(*snapshot_, {});
  ArcSet expected;
  for (NodeId node = 0; node < snapshot_->node_count(); ++node) {
    const ArcSpan out = snapshot_->Arcs(node, Direction::kOut);
    for (size_t i = 0; i < out.size(); ++i) {
      if (out.neighbors[i] == node) continue;
      const uint32_t label = 2 * uint32_t{out.relations[i]};
      expected.insert({out.neighbors[i], {node, label}});
      expected.insert({node, {out.neighbors[i], label + 1}});
    }
  }
  EXPECT_EQ(ArcsOf(BlockBuilder(graph, 1).Build(AllNodes(graph), {})),
            expected);
}

TEST_F(MessageBlockTest, WithoutRelationsNeighboursCountOnce) {
  const MessageGraph graph(*snapshot_, {.relations = false, .self_arcs = true});
  const MessageBlock block = BlockBuilder(graph, 1).Build(AllNodes(graph), {});
  for (NodeId node = 0; node < snapshot_->node_count(); ++node) {
    const uint64_t begin = block.row_start[node];
    const auto neighbors = snapshot_->DistinctNeighbors(node);
    ASSERT_EQ(block.row_start[node + 1] - begin, neighbors.size() + 1);
    EXPECT_EQ(block.source[begin], node);
    EXPECT_EQ(block.label[begin], 1u);
    EXPECT_THAT(neighbors, ElementsAreArray(block.source.data() + begin + 1,
                                            neighbors.size()));
    EXPECT_EQ(block.degree[node], static_cast<float>(neighbors.size()));
  }
}

TEST_F(MessageBlockTest, ListsEachSourceOncePerLabel) {
  const MessageGraph graph(*snapshot_,
                           {.self_arcs = true, .labelled_sources = true});
  BlockOptions options;
  options.most_arcs = 3;
  const std::vector<NodeId> wanted = {5, 0, 17, 9};
  const MessageBlock block = BlockBuilder(graph, 1).Build(wanted, options);
  const LabelledSources& pairs = *block.labelled_sources;
  std::set<std::pair<uint32_t, uint32_t>> expected, found;
  for (size_t arc = 0; arc < block.arc_count(); ++arc) {
    expected.insert({block.label[arc], block.source[arc]});
    EXPECT_EQ(pairs.source[pairs.arcs.source[arc]], block.source[arc]);
  }
  for (uint32_t label = 0; label < graph.label_count(); ++label) {
    for (uint64_t i = pairs.label_start[label];
         i < pairs.label_start[label + 1]; ++i) {
      found.insert({label, pairs.source[i]});
    }
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(pairs.pair_count(), expected.size());
  EXPECT_EQ(pairs.arcs.row_start, block.row_start);
}

TEST_F(MessageBlockTest, AClosedBlockHasOnlyArcsAmongItsDestinations) {
  const MessageGraph graph(*snapshot_, {});
  BlockOptions options;
  options.closed = true;
  const std::vector<NodeId> wanted = {0, 1, 2, 3, 4, 20, 30};
  const std::set<NodeId> inside(wanted.begin(), wanted.end());
  const MessageBlock block = BlockBuilder(graph, 1).Build(wanted, options);
  ArcSet expected;
  for (const NodeId node : wanted) {
    for (const MessageArc& arc : graph.Arcs(node)) {
      if (inside.contains(arc.neighbor)) expected.insert({node, arc});
    }
  }
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(ArcsOf(block), expected);
  EXPECT_EQ(block.nodes, wanted);
}

TEST_F(MessageBlockTest, CountsArcsWithTheSameLabel) {
  const MessageGraph graph(*snapshot_, {});
  const MessageBlock block = BlockBuilder(graph, 1).Build(AllNodes(graph), {});
  std::map<std::pair<uint32_t, uint32_t>, float> counts;
  for (size_t arc = 0; arc < block.arc_count(); ++arc) {
    ++counts[{block.destination[arc], block.label[arc]}];
  }
  for (size_t arc = 0; arc < block.arc_count(); ++arc) {
    EXPECT_EQ(block.same_label_arcs[arc],
              (counts[{block.destination[arc], block.label[arc]}]));
  }
  EXPECT_THAT(block.scale, Each(1.0f));
}

TEST_F(MessageBlockTest, ABlockWithHiddenPairsEqualsOneOfAGraphWithoutThem) {
  const LinkFolds folds(3, 7);
  const auto without = BuildSnapshotOrDie(RebuildWithout(
      data_, [&](const Link& link) { return folds.FoldOf(link) == 1; }));
  const MessageGraph graph(*snapshot_, {}), reduced(*without, {});
  BlockOptions options;
  options.hidden = {&folds, 1};
  const MessageBlock hidden =
      BlockBuilder(graph, 1).Build(AllNodes(graph), options);
  const MessageBlock rebuilt =
      BlockBuilder(reduced, 1).Build(AllNodes(reduced), {});
  EXPECT_LT(hidden.arc_count(), graph.arc_count());
  EXPECT_EQ(hidden.row_start, rebuilt.row_start);
  EXPECT_EQ(hidden.source, rebuilt.source);
  EXPECT_EQ(hidden.label, rebuilt.label);
  EXPECT_EQ(hidden.same_label_arcs, rebuilt.same_label_arcs);
  EXPECT_EQ(hidden.degree, rebuilt.degree);
}

TEST_F(MessageBlockTest, ScalesOfASampleSumToTheNumberOfVisibleArcs) {
  const MessageGraph graph(*snapshot_, {});
  BlockOptions options;
  options.most_arcs = 3;
  const std::vector<NodeId> wanted = {0, 5, 9, 39};
  const MessageBlock block = BlockBuilder(graph, 2).Build(wanted, options);
  EXPECT_THAT(std::vector(block.nodes.begin(), block.nodes.begin() + 4),
              ElementsAreArray(wanted));
  const ArcSet all = ArcsOf(BlockBuilder(graph, 1).Build(AllNodes(graph), {}));
  const ArcSet sampled = ArcsOf(block);
  EXPECT_TRUE(
      std::includes(all.begin(), all.end(), sampled.begin(), sampled.end()));
  for (size_t row = 0; row < wanted.size(); ++row) {
    const size_t arcs = block.row_start[row + 1] - block.row_start[row];
    EXPECT_THAT(arcs, Le(options.most_arcs));
    float represented = 0;
    for (size_t i = 0; i < arcs; ++i) {
      represented += block.scale[block.row_start[row] + i];
    }
    EXPECT_FLOAT_EQ(represented, block.degree[row]);
  }
}

TEST_F(MessageBlockTest, SamplesAreUniformAndDependOnTheSeed) {
  const MessageGraph graph(*snapshot_, {.relations = false});
  const size_t degree = graph.Arcs(0).size();
  ASSERT_GT(degree, 10u);
  BlockBuilder builder(graph, 1);
  constexpr int kDraws = 4000;
  std::map<NodeId, int> counts;
  BlockOptions options;
  options.most_arcs = 5;
  for (int draw = 0; draw < kDraws; ++draw) {
    options.seed = static_cast<uint64_t>(draw);
    for (const auto& [node, arc] : ArcsOf(builder.Build({{0}}, options))) {
      ++counts[arc.neighbor];
    }
  }
  const double expected = 5.0 * kDraws / static_cast<double>(degree);
  double chi_square = 0;
  for (const MessageArc& arc : graph.Arcs(0)) {
    const double off = counts[arc.neighbor] - expected;
    chi_square += off * off / expected;
  }
  // The mean is about `degree`, the standard deviation about sqrt(2 degree).
  EXPECT_LT(chi_square, degree + 5 * std::sqrt(2.0 * degree));
}

TEST_F(MessageBlockTest, ThreadsChangeNothing) {
  RandomMultigraphOptions large;
  large.nodes = 5000;
  large.links = 20000;
  const auto snapshot = BuildSnapshotOrDie(RandomMultigraph(large, 1));
  const MessageGraph graph(*snapshot, {});
  BlockOptions options;
  options.most_arcs = 4;
  const MessageBlock one =
      BlockBuilder(graph, 1).Build(AllNodes(graph), options);
  const MessageBlock four =
      BlockBuilder(graph, 4).Build(AllNodes(graph), options);
  EXPECT_EQ(one.source, four.source);
  EXPECT_EQ(one.row_start, four.row_start);
}

TEST_F(MessageBlockTest, ColumnsHoldTheArcsOfASource) {
  const MessageGraph graph(*snapshot_, {});
  const MessageBlock block = BlockBuilder(graph, 1).Build(AllNodes(graph), {});
  ASSERT_EQ(block.column_start.back(), block.arc_count());
  for (size_t source = 0; source < block.source_count(); ++source) {
    for (uint64_t i = block.column_start[source];
         i < block.column_start[source + 1]; ++i) {
      EXPECT_EQ(block.source[block.column_arcs[i]], source);
    }
  }
}

}  // namespace
}  // namespace slice
