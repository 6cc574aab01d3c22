#include "context/unknown_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;

// Row i is {i, 2 i}.
std::vector<float> Rows(const GraphSnapshot& graph) {
  std::vector<float> rows;
  for (NodeId node = 0; node < graph.node_count(); ++node) {
    rows.push_back(static_cast<float>(node));
    rows.push_back(2 * static_cast<float>(node));
  }
  return rows;
}

TEST(UnknownNodesTest, HaveTheMeanOfTheirType) {
  const auto graph = ToySnapshot();
  const std::vector<float> rows = Rows(*graph);
  const UnknownNodes unknown({rows, 2}, *graph);
  double sum = 0, all = 0;
  int count = 0;
  const NodeTypeId tag = graph->Type(ToyNode(*graph, "web::browser"));
  for (NodeId node = 0; node < graph->node_count(); ++node) {
    all += node;
    if (graph->Type(node) != tag) continue;
    sum += node;
    ++count;
  }
  const auto mean = static_cast<float>(sum / count);
  EXPECT_THAT(unknown.EmbeddingOf(tag),
              ElementsAre(FloatNear(mean, 1e-5f), FloatNear(2 * mean, 1e-5f)));
  // A type that came later has the mean of all nodes.
  const auto of_all = static_cast<float>(all / double(graph->node_count()));
  const auto later = static_cast<NodeTypeId>(graph->node_type_count());
  EXPECT_THAT(
      unknown.EmbeddingOf(later),
      ElementsAre(FloatNear(of_all, 1e-5f), FloatNear(2 * of_all, 1e-5f)));
}

TEST(UnknownNodesTest, AreThoseBehindTheTrainedOnes) {
  const auto graph = ToySnapshot();
  const std::vector<float> rows = Rows(*graph);
  const UnknownNodes unknown({rows, 2}, *graph);
  const auto nodes = static_cast<NodeId>(graph->node_count());
  EXPECT_FALSE(unknown.IsUnknown(nodes - 1));
  EXPECT_TRUE(unknown.IsUnknown(nodes));
}

}  // namespace
}  // namespace slice
