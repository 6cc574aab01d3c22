#include "model/context_batch.h"

#include <gtest/gtest.h>

namespace slice {
namespace {

// A link with one context: the given nodes as a chain, linked by relation 2.
EncodedLink ChainLink(const std::vector<NodeId>& nodes) {
  ContextSubgraph context;
  for (NodeId node : nodes) {
    ContextToken token;
    token.node = node;
    token.features[0] = static_cast<float>(node);
    token.relations = {static_cast<int32_t>(node), 0, -1};
    context.tokens.push_back(token);
  }
  for (uint16_t i = 0; i + 1 < nodes.size(); ++i) {
    context.edges.push_back({i, static_cast<uint16_t>(i + 1), 2});
  }
  EncodedLink link;
  link.link = {nodes[0], 2, nodes[1]};
  link.contexts = {context};
  link.pair_features = {0.5f, static_cast<float>(nodes.size())};
  return link;
}

TEST(ContextBatchTest, PadsToTheLongestContext) {
  const EncodedLink a = ChainLink({7, 8}), b = ChainLink({1, 2, 3});
  const EncodedLink* links[] = {&a, &b};
  const ContextBatch batch = ContextBatch::Assemble(links);
  EXPECT_EQ(batch.links, 2);
  EXPECT_EQ(batch.rows, 2);
  EXPECT_EQ(batch.tokens, 3);
  EXPECT_EQ(batch.nodes, (std::vector<int64_t>{7, 8, -1, 1, 2, 3}));
  EXPECT_EQ(batch.kinds, (std::vector<int64_t>{1, 1, 0, 1, 1, 1}));
  EXPECT_EQ(batch.relation, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(batch.row_tokens, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(batch.pair_features, (std::vector<float>{0.5f, 2, 0.5f, 3}));
  EXPECT_NEAR(batch.PaddingRatio(), 1.0 / 6, 1e-12);
}

// Tokens of a link that the embeddings were learned from name no node, so that
// the network cannot look its embedding up; all else stays.
TEST(ContextBatchTest, NamesNoNodeOfALinkWithoutEmbeddings) {
  EncodedLink link = ChainLink({1, 2, 3});
  const EncodedLink* links[] = {&link};
  const ContextBatch with = ContextBatch::Assemble(links);
  link.has_embeddings = false;
  const ContextBatch without = ContextBatch::Assemble(links);
  EXPECT_EQ(without.nodes, (std::vector<int64_t>{-1, -1, -1}));
  EXPECT_EQ(without.kinds, with.kinds);
  EXPECT_EQ(without.roles, with.roles);
  EXPECT_EQ(without.token_features, with.token_features);
  EXPECT_EQ(without.token_relations, with.token_relations);
  EXPECT_EQ(without.pair_relations, with.pair_relations);
}

TEST(ContextBatchTest, HoldsTheEmbeddingsOfUnknownNodes) {
  const std::vector<float> rows = {0.1f, 0.2f, 0.3f, 0.4f};
  EncodedLink link = ChainLink({9, 2, 8});
  link.unknown_nodes = {{9, {rows[0], rows[1]}}, {8, {rows[2], rows[3]}}};
  const EncodedLink plain = ChainLink({9, 3});
  const EncodedLink* links[] = {&plain, &link};
  const ContextBatch batch = ContextBatch::Assemble(links);
  EXPECT_EQ(batch.nodes, (std::vector<int64_t>{9, 3, -1, -2, 2, -3}));
  EXPECT_EQ(batch.unknown_embeddings, rows);
  const int64_t chosen[] = {1};
  const ContextBatch selected = batch.Select(chosen);
  EXPECT_EQ(selected.nodes, (std::vector<int64_t>{-2, 2, -3}));
  EXPECT_EQ(selected.unknown_embeddings, rows);
}

// The selected rows equal a batch assembled from their links alone.
TEST(ContextBatchTest, SelectsRows) {
  const EncodedLink a = ChainLink({7, 8}), b = ChainLink({1, 2, 3, 4, 5}),
                    c = ChainLink({4, 5, 6});
  const EncodedLink* all[] = {&a, &b, &c};
  const EncodedLink* some[] = {&c, &a};
  const ContextBatch whole = ContextBatch::Assemble(all);
  const int64_t rows[] = {2, 0};
  const ContextBatch selected = whole.Select(rows);
  const ContextBatch expected = ContextBatch::Assemble(some);
  EXPECT_EQ(selected.rows, expected.rows);
  EXPECT_EQ(selected.tokens, expected.tokens);
  EXPECT_EQ(selected.token_features_dim, expected.token_features_dim);
  EXPECT_EQ(selected.pair_features_dim, expected.pair_features_dim);
  EXPECT_EQ(selected.nodes, expected.nodes);
  EXPECT_EQ(selected.kinds, expected.kinds);
  EXPECT_EQ(selected.roles, expected.roles);
  EXPECT_EQ(selected.token_features, expected.token_features);
  EXPECT_EQ(selected.token_relations, expected.token_relations);
  EXPECT_EQ(selected.pair_relations, expected.pair_relations);
  EXPECT_EQ(selected.relation, expected.relation);
  EXPECT_EQ(selected.pair_features, expected.pair_features);
  EXPECT_EQ(selected.row_tokens, expected.row_tokens);
  EXPECT_EQ(selected.row_link, (std::vector<int64_t>{2, 0}));
}

TEST(ContextBatchTest, SignsEdgesByDirection) {
  const EncodedLink a = ChainLink({1, 2});
  const EncodedLink* links[] = {&a};
  const ContextBatch batch = ContextBatch::Assemble(links);
  EXPECT_EQ(batch.pair_relations, (std::vector<int64_t>{0, 3, -3, 0}));
}

TEST(ContextBatchTest, ContextsOfOneLinkAreRowsOfTheirOwn) {
  EncodedLink a = ChainLink({1, 2});
  a.contexts.push_back(ChainLink({1, 2, 3, 4}).contexts[0]);
  const EncodedLink b = ChainLink({5, 6});
  const EncodedLink* links[] = {&a, &b};
  const ContextBatch batch = ContextBatch::Assemble(links);
  EXPECT_EQ(batch.links, 2);
  EXPECT_EQ(batch.rows, 3);
  EXPECT_EQ(batch.row_link, (std::vector<int64_t>{0, 0, 1}));
}

TEST(ContextBatchTest, NothingMakesAnEmptyBatch) {
  const ContextBatch batch = ContextBatch::Assemble({});
  EXPECT_EQ(batch.rows, 0);
  EXPECT_EQ(batch.PaddingRatio(), 0);
}

}  // namespace
}  // namespace slice
