#include "trainer/learning/new_nodes.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "graphstore/graph_view.h"
#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

TEST(NewNodesTest, EachTypeGetsANodeWithoutLinks) {
  const auto graph = ToySnapshot();
  const std::vector<float> rows(graph->node_count(), 1.0f);
  const auto new_nodes = *NewNodes::Add(*graph, {rows, 1});
  const GraphSnapshot& with_new = new_nodes->graph();
  ASSERT_EQ(with_new.node_count(),
            graph->node_count() + graph->node_type_count());
  EXPECT_EQ(with_new.link_count(), graph->link_count());
  for (NodeId node = 0; node < graph->node_count(); ++node) {
    const NodeId added = new_nodes->InPlaceOf(node);
    EXPECT_GE(added, graph->node_count());
    EXPECT_EQ(with_new.Type(added), graph->Type(node));
    EXPECT_EQ(GraphView(with_new).ArcCount(added), 0u);
  }
}

TEST(NewNodesTest, ReadTheMeanOfTheirType) {
  const auto graph = ToySnapshot();
  std::vector<float> rows;
  for (NodeId node = 0; node < graph->node_count(); ++node) {
    rows.push_back(static_cast<float>(graph->Type(node)) + 5);
  }
  const auto new_nodes = *NewNodes::Add(*graph, {rows, 1});
  for (NodeId node = 0; node < graph->node_count(); ++node) {
    const UnknownEmbedding read =
        new_nodes->EmbeddingOf(new_nodes->InPlaceOf(node));
    EXPECT_EQ(read.node, new_nodes->InPlaceOf(node));
    ASSERT_EQ(read.values.size(), 1u);
    EXPECT_FLOAT_EQ(read.values[0], rows[node]);
  }
}

}  // namespace
}  // namespace slice
