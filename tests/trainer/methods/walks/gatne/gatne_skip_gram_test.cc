#include "trainer/methods/walks/gatne/gatne_skip_gram.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "common/random.h"
#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/trainer/methods/walks/gatne/random_gatne.h"

namespace slice {
namespace {

// Twenty windows for every second layer node, those of one relation together.
WalkWindows RandomWindows(const LayeredGraph& graph) {
  Random random(8);
  WalkWindows batch;
  for (LayerNode i = 0; i < graph.layer_node_count(); i += 2) {
    batch.centres.insert(batch.centres.end(), 20, i);
  }
  std::stable_sort(batch.centres.begin(), batch.centres.end(),
                   [&](LayerNode a, LayerNode b) {
                     return graph.RelationOf(a) < graph.RelationOf(b);
                   });
  for (size_t window = 0; window < batch.windows(); ++window) {
    batch.context_counts.push_back(1 + random.Below(2));
    const uint32_t noise = random.Below(4);
    for (uint32_t i = 0; i < batch.context_counts.back() + noise; ++i) {
      batch.nodes.push_back(
          random.Below(static_cast<uint32_t>(graph.node_count())));
    }
    batch.begins.push_back(static_cast<uint32_t>(batch.nodes.size()));
  }
  return batch;
}

// By its definition, in double precision.
double LossByHand(const GatneModel& model, const GatneSources& sources,
                  const WalkWindows& batch) {
  double loss = 0;
  for (size_t window = 0; window < batch.windows(); ++window) {
    const LayerNode centre = batch.centres[window];
    const NodeId node = sources.graph->NodeOf(centre);
    const std::vector<double> vector =
        VectorByHand(model, node, sources.graph->RelationOf(centre),
                     EdgesByHand(model, sources, node));
    const auto nodes = batch.NodesOf(window);
    for (size_t i = 0; i < nodes.size(); ++i) {
      double logit = 0;
      for (size_t k = 0; k < model.dim; ++k) {
        logit += vector[k] * model.contexts[nodes[i] * model.dim + k];
      }
      const bool is_context = i < batch.context_counts[window];
      loss += std::log1p(std::exp(is_context ? -logit : logit));
    }
  }
  return loss;
}

class GatneSkipGramTest : public ::testing::Test {
 protected:
  // Compares a gradient with central differences of LossByHand(). Rows that the
  // gradient lacks must not matter.
  void ExpectGradient(const TableGradient& gradient,
                      std::vector<float>& table) {
    ASSERT_FALSE(gradient.rows.empty());
    const size_t width = gradient.values.size() / gradient.rows.size();
    std::vector<float> expected(table.size());
    for (size_t i = 0; i < gradient.rows.size(); ++i) {
      std::copy_n(&gradient.values[i * width], width,
                  &expected[gradient.rows[i] * width]);
    }
    double largest = 0;
    for (size_t i = 0; i < table.size(); ++i) {
      const float value = table[i], step = 1e-3f;
      table[i] = value + step;
      const double above = LossByHand(model_, sources_, batch_);
      table[i] = value - step;
      const double below = LossByHand(model_, sources_, batch_);
      table[i] = value;
      const double slope = (above - below) / (2 * step);
      EXPECT_NEAR(expected[i], slope, 2e-3) << i;
      largest = std::max(largest, std::abs(slope));
    }
    EXPECT_GT(largest, 0.02);
  }

  const std::shared_ptr<const GraphSnapshot> snapshot_ = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = 14, .links = 60, .node_types = 1}, 1));
  const LayeredGraph graph_{GraphView(*snapshot_)};
  const LayerRows neighbors_ = graph_.SampleNeighbors(3, 1);
  const GatneSources sources_ = {&graph_, &neighbors_};
  const WalkWindows batch_ = RandomWindows(graph_);
  GatneModel model_ = RandomGatne(graph_);
};

TEST_F(GatneSkipGramTest, TheLossIsThatOfTheDefinition) {
  const GatneGradients gradients =
      DifferentiateGatne(model_, sources_, batch_, 1);
  EXPECT_NEAR(gradients.loss, LossByHand(model_, sources_, batch_), 1e-3);
}

TEST_F(GatneSkipGramTest, GradientsAreThoseOfFiniteDifferences) {
  const GatneGradients gradients =
      DifferentiateGatne(model_, sources_, batch_, 1);
  const auto parts = PartsOf(gradients);
  const auto tables = TablesOf(model_);
  for (size_t i = 0; i < parts.size(); ++i) {
    SCOPED_TRACE(i);
    ExpectGradient(*parts[i], *tables[i]);
  }
}

// With more windows and rows than a thread takes at once.
TEST_F(GatneSkipGramTest, ThreadsChangeNothing) {
  const auto snapshot = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = 300, .links = 900, .node_types = 1}, 1));
  const LayeredGraph graph{GraphView(*snapshot)};
  const LayerRows neighbors = graph.SampleNeighbors(3, 1);
  const GatneSources sources = {&graph, &neighbors};
  const WalkWindows batch = RandomWindows(graph);
  const GatneModel model = RandomGatne(graph);
  const GatneGradients one = DifferentiateGatne(model, sources, batch, 1);
  ASSERT_GT(one.contexts.rows.size(), 200u);
  const GatneGradients three = DifferentiateGatne(model, sources, batch, 3);
  EXPECT_EQ(one.loss, three.loss);
  for (size_t i = 0; i < PartsOf(one).size(); ++i) {
    EXPECT_EQ(PartsOf(one)[i]->rows, PartsOf(three)[i]->rows) << i;
    EXPECT_EQ(PartsOf(one)[i]->values, PartsOf(three)[i]->values) << i;
  }
}

// So that the training sees it and stops.
TEST_F(GatneSkipGramTest, AnInfiniteNumberOfAnyTableMakesTheLossNoNumber) {
  for (std::vector<float>* const table : TablesOf(model_)) {
    const std::vector<float> before = *table;
    for (float& value : *table) value = INFINITY;
    EXPECT_FALSE(
        std::isfinite(DifferentiateGatne(model_, sources_, batch_, 1).loss));
    *table = before;
  }
}

TEST_F(GatneSkipGramTest, EdgeVectorsAreMeansOverTheSample) {
  const std::vector<float> vectors = EdgeVectors(model_, sources_, 2);
  ASSERT_EQ(vectors.size(), graph_.layer_node_count() * model_.edge_dim);
  size_t at = 0;
  for (NodeId node = 0; node < graph_.node_count(); ++node) {
    for (const auto& edge : EdgesByHand(model_, sources_, node)) {
      for (const double value : edge) EXPECT_NEAR(vectors[at++], value, 1e-6);
    }
  }
}

}  // namespace
}  // namespace slice
