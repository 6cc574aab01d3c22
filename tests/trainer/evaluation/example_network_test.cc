#include "trainer/evaluation/example_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/testing/toy_graph.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class ExampleNetworkTest : public ::testing::Test {
 protected:
  ContextToken Node(const char* key) const {
    ContextToken token;
    token.node = ToyNode(*graph_, key);
    return token;
  }

  int32_t Signed(const char* relation, Direction direction) const {
    return SignedRelation(ToyRelation(*graph_, relation), direction);
  }

  // Every row of the attention is `row`.
  static SemanticAssociationMatrix Attention(const std::vector<float>& row) {
    const auto tokens = static_cast<int>(row.size());
    SemanticAssociationMatrix attention{1, 1, tokens, {}};
    for (int i = 0; i < tokens; ++i) {
      attention.weights.insert(attention.weights.end(), row.begin(), row.end());
    }
    return attention;
  }

  // "curl -depends-> libssl3" for every link.
  static std::set<std::string> Links(const Network& network) {
    std::set<std::string> links;
    for (const NetworkLink& link : network.links) {
      links.insert(network.nodes[link.source].name + " -" + link.name + "-> " +
                   network.nodes[link.target].name);
    }
    return links;
  }

  std::shared_ptr<const GraphSnapshot> graph_ = ToySnapshot();
};

TEST_F(ExampleNetworkTest, APathTokenGivesTheLinksOfItsPathInTheirDirection) {
  ContextSubgraph context;
  context.tokens = {Node("curl"), Node("libssl-dev")};
  ContextToken path;
  path.kind = TokenKind::kPath;
  path.path = {ToyNode(*graph_, "libssl3")};
  path.relations = {Signed("depends", Direction::kOut),
                    Signed("depends", Direction::kIn), 0};
  context.tokens.push_back(path);
  const Network network =
      NetworkOf(*graph_, context, Attention({0.25f, 0.25f, 0.5f}),
                std::vector<size_t>{2});
  EXPECT_THAT(Links(network),
              UnorderedElementsAre("curl -depends-> TLS library",
                                   "libssl-dev -depends-> TLS library"));
  ASSERT_EQ(network.nodes.size(), 3u);
  EXPECT_EQ(network.nodes[0].kind, "package");
  // Half of the attention goes to the residual connection, and both ends
  // attend: 2 * 0.5 / 2.
  EXPECT_NEAR(network.links[0].weight, 0.5, 1e-6);
}

TEST_F(ExampleNetworkTest, PathsThroughTheSameNodeShareIt) {
  ContextSubgraph context;
  context.tokens = {Node("curl"), Node("libssl-dev")};
  for (const char* relation : {"depends", "recommends"}) {
    ContextToken path;
    path.kind = TokenKind::kPath;
    path.path = {ToyNode(*graph_, "libssl3")};
    path.relations = {Signed(relation, Direction::kOut),
                      Signed("depends", Direction::kIn), 0};
    context.tokens.push_back(path);
  }
  const Network network =
      NetworkOf(*graph_, context, Attention({0.25f, 0.25f, 0.25f, 0.25f}),
                std::vector<size_t>{2, 3});
  EXPECT_EQ(network.nodes.size(), 3u);
  EXPECT_THAT(Links(network),
              UnorderedElementsAre("curl -depends-> TLS library",
                                   "curl -recommends-> TLS library",
                                   "libssl-dev -depends-> TLS library"));
  // The shared link has the attention to both paths.
  double most = 0;
  for (const NetworkLink& link : network.links) {
    most = std::max(most, link.weight);
  }
  EXPECT_NEAR(most, 0.5, 1e-6);
}

TEST_F(ExampleNetworkTest, NodeTokensGiveTheirNodesWithTheEdgesAmongThem) {
  ContextSubgraph context;
  context.tokens = {Node("curl"), Node("libssl-dev"), Node("libssl3"),
                    Node("lonely")};
  context.edges = {{0, 2, ToyRelation(*graph_, "depends")},
                   {1, 2, ToyRelation(*graph_, "depends")}};
  const Network network =
      NetworkOf(*graph_, context, Attention({0.25f, 0.25f, 0.3f, 0.2f}),
                std::vector<size_t>{2, 3});
  EXPECT_EQ(network.nodes.size(), 4u);
  EXPECT_THAT(Links(network),
              UnorderedElementsAre("curl -depends-> TLS library",
                                   "libssl-dev -depends-> TLS library"));
}

TEST_F(ExampleNetworkTest, AContextOfTheEndsAloneHasNoLinks) {
  ContextSubgraph context;
  context.tokens = {Node("curl"), Node("curl")};
  const Network network =
      NetworkOf(*graph_, context, Attention({0.5f, 0.5f}), {});
  EXPECT_EQ(network.nodes.size(), 2u);
  EXPECT_TRUE(network.links.empty());
}

}  // namespace
}  // namespace slice
