#include "trainer/methods/walks/gatne/gatne_network.h"

#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "tests/testing/random_multigraph.h"
#include "tests/trainer/methods/walks/gatne/random_gatne.h"

namespace slice {
namespace {

constexpr NodeId kNode = 4;
constexpr RelationId kRelation = 1;

// The vector of one node, which has three layers, from edge vectors given by
// hand.
class GatneNetworkTest : public ::testing::Test {
 protected:
  std::vector<float> Embed(const std::vector<float>& edges) const {
    GatneState state;
    EmbedNode(model_,
              {kNode, kRelation, edges.data(), edges.size() / model_.edge_dim},
              state);
    return state.vector;
  }

  static void ExpectEqual(const std::vector<float>& vector,
                          const std::vector<float>& expected) {
    ASSERT_EQ(vector.size(), expected.size());
    for (size_t k = 0; k < vector.size(); ++k) {
      EXPECT_NEAR(vector[k], expected[k], 1e-6) << k;
    }
  }

  const std::shared_ptr<const GraphSnapshot> snapshot_ = BuildSnapshotOrDie(
      RandomMultigraph({.nodes = 14, .links = 60, .node_types = 1}, 1));
  const LayeredGraph graph_{GraphView(*snapshot_)};
  GatneModel model_ = RandomGatne(graph_);
  const std::vector<float> edges_ = RandomTable(3 * model_.edge_dim, 2, 8);
};

TEST_F(GatneNetworkTest, TheVectorIsThatOfTheDefinition) {
  std::vector<std::vector<double>> edges;
  for (size_t p = 0; p < 3; ++p) {
    edges.emplace_back(&edges_[p * 3], &edges_[p * 3] + 3);
  }
  const std::vector<double> expected =
      VectorByHand(model_, kNode, kRelation, edges);
  ExpectEqual(Embed(edges_), {expected.begin(), expected.end()});
}

TEST_F(GatneNetworkTest, TheOrderOfLayersDoesNotMatter) {
  std::vector<float> turned(edges_.begin() + 3, edges_.end());
  turned.insert(turned.end(), edges_.begin(), edges_.begin() + 3);
  ExpectEqual(Embed(turned), Embed(edges_));
}

TEST_F(GatneNetworkTest, TheLengthOfTheSumDoesNotMatter) {
  const std::vector<float> before = Embed(edges_);
  for (float& value : model_.base) value *= 7;
  model_.alpha *= 7;
  ExpectEqual(Embed(edges_), before);
}

TEST_F(GatneNetworkTest, WithoutLayersTheVectorIsTheDirectionOfTheBase) {
  const std::vector<double> expected =
      VectorByHand(model_, kNode, kRelation, {});
  ExpectEqual(Embed({}), {expected.begin(), expected.end()});
}

TEST_F(GatneNetworkTest, AVectorOfZerosStaysZero) {
  std::fill(model_.base.begin(), model_.base.end(), 0.0f);
  ExpectEqual(Embed({}), std::vector<float>(model_.dim));
}

}  // namespace
}  // namespace slice
