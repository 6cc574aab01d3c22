#include "context/unknown_nodes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "graphstore/graph_changes.h"
#include "graphstore/graph_view.h"
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
  EXPECT_THAT(unknown.MeanOf(tag),
              ElementsAre(FloatNear(mean, 1e-5f), FloatNear(2 * mean, 1e-5f)));
  // A type that came later has the mean of all nodes.
  const auto of_all = static_cast<float>(all / double(graph->node_count()));
  const auto later = static_cast<NodeTypeId>(graph->node_type_count());
  EXPECT_THAT(unknown.MeanOf(later), ElementsAre(FloatNear(of_all, 1e-5f),
                                                 FloatNear(2 * of_all, 1e-5f)));
}

// By hand: a node with two known neighbours, one unknown one, and its type.
TEST(UnknownNodesTest, ReadTheirNeighbours) {
  const auto trained = ToySnapshot();
  const std::vector<float> rows = Rows(*trained);
  const UnknownNodes unknown({rows, 2}, *trained);
  const auto id = static_cast<NodeId>(trained->node_count());
  const NodeTypeId type = trained->Type(ToyNode(*trained, "curl"));
  GraphChanges changes;
  changes.added_nodes = {{"new", "new", type}, {"newer", "newer", type}};
  changes.added_links = {
      {{id, 0, 3}, 1}, {{5, 0, id}, 1}, {{id, 0, id + 1}, 1}};
  const auto graph = *trained->Apply(changes, 1);
  const auto mean = unknown.MeanOf(type);
  double squares = 0;
  int count = 0;
  for (NodeId node = 0; node < trained->node_count(); ++node) {
    if (trained->Type(node) != type) continue;
    squares += 5.0 * node * node;
    ++count;
  }
  const double x = mean[0] + 3 + 5, y = mean[1] + 2 * (3 + 5);
  const double scale = std::sqrt(squares / count) / std::hypot(x, y);
  std::vector<float> values;
  unknown.Embed(GraphView(*graph), id, values);
  EXPECT_THAT(values, ElementsAre(FloatNear(float(x * scale), 1e-4f),
                                  FloatNear(float(y * scale), 1e-4f)));
  // What a question hides is not read.
  GraphView view(*graph);
  view.HidePair(id, 3);
  view.HidePair(5, id);
  unknown.Embed(view, id, values);
  EXPECT_THAT(values, ElementsAre(mean[0], mean[1]));
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
