#include "graphstore/graph_records.h"

#include <algorithm>
#include <string>
#include <vector>

#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

TEST(GraphRecordsTest, KeysSortLikeTheirNumbers) {
  EXPECT_LT(EncodeNodeKey(255), EncodeNodeKey(256));
  EXPECT_LT(EncodeNodeKey(0x7fffffff), EncodeNodeKey(0x80000000));
  EXPECT_LT(EncodeAdjacencyKey({1, Direction::kOut, 65535}),
            EncodeAdjacencyKey({1, Direction::kIn, 0}));
  EXPECT_LT(EncodeAdjacencyKey({1, Direction::kIn, 9}),
            EncodeAdjacencyKey({2, Direction::kOut, 0}));
}

TEST(GraphRecordsTest, KeysComeBack) {
  NodeId node = 0;
  ASSERT_TRUE(DecodeNodeKey(EncodeNodeKey(0x01020304), &node));
  EXPECT_EQ(node, 0x01020304u);
  AdjacencyKey key;
  ASSERT_TRUE(
      DecodeAdjacencyKey(EncodeAdjacencyKey({77, Direction::kIn, 300}), &key));
  EXPECT_EQ(key.node, 77u);
  EXPECT_EQ(key.direction, Direction::kIn);
  EXPECT_EQ(key.chunk, 300);
  EXPECT_FALSE(DecodeNodeKey("abc", &node));
  EXPECT_FALSE(DecodeAdjacencyKey(std::string("\0\0\0\0\2\0\0", 7), &key));
  // char is signed on x86-64 and unsigned on aarch64.
  EXPECT_FALSE(DecodeAdjacencyKey(std::string("\0\0\0\0\xff\0\0", 7), &key));
}

// Old stores must stay readable, so the bytes of a record never change.
TEST(GraphRecordsTest, BytesAreThoseOfTheFormat) {
  const std::vector<NodeId> neighbors = {3, 300, 5};
  const std::vector<RelationId> relations = {1, 1, 200};
  EXPECT_EQ(EncodeArcs({neighbors, relations}),
            std::string("\x01\x02\x03\xA9\x02\xC8\x01\x01\x05"));
  EXPECT_EQ(EncodeIds({7, 9}), std::string("\x02\x07\x02"));
  EXPECT_EQ(EncodeNode({{"k", "na", 1}, 2, 3}),
            std::string("\x01\x02\x03\x01k\x02na\0", 9));
  EXPECT_EQ(EncodeDictionary({"a", ""}), std::string("\x02\x01"
                                                     "a\0",
                                                     4));
}

TEST(GraphRecordsTest, ArcsComeBack) {
  Random random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::pair<RelationId, NodeId>> pairs;
    const size_t count = random.Below(200);
    for (size_t i = 0; i < count; ++i) {
      pairs.emplace_back(static_cast<RelationId>(random.Below(300)),
                         random.Below(round % 2 == 0 ? 50 : kNoNode));
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<NodeId> neighbors;
    std::vector<RelationId> relations;
    std::vector<Arc> expected;
    for (const auto& [relation, neighbor] : pairs) {
      relations.push_back(relation);
      neighbors.push_back(neighbor);
      expected.push_back({neighbor, relation, Direction::kIn});
    }
    std::vector<Arc> decoded;
    ASSERT_TRUE(DecodeArcs(EncodeArcs({neighbors, relations}), Direction::kIn,
                           &decoded));
    EXPECT_THAT(decoded, ElementsAreArray(expected));
  }
}

TEST(GraphRecordsTest, MetadataComesBack) {
  GraphMetadata metadata;
  metadata.node_count = 1ull << 40;
  metadata.link_count = 5;
  metadata.graph_version = ~0ull;
  metadata.graph_digest = "digest";
  GraphMetadata decoded;
  ASSERT_TRUE(DecodeMetadata(EncodeMetadata(metadata), &decoded));
  EXPECT_EQ(decoded.node_count, metadata.node_count);
  EXPECT_EQ(decoded.graph_version, metadata.graph_version);
  EXPECT_EQ(decoded.graph_digest, "digest");
  EXPECT_EQ(decoded.split_digest, "");
}

// Every proper prefix of a record is refused, and so is a record followed by
// one more byte.
template <typename Decode>
void ExpectExact(const std::string& record, Decode decode) {
  EXPECT_TRUE(decode(record));
  for (size_t size = 0; size < record.size(); ++size)
    EXPECT_FALSE(decode(record.substr(0, size))) << size;
  EXPECT_FALSE(decode(record + '\0'));
}

TEST(GraphRecordsTest, RecordsMustBeUsedUpExactly) {
  ExpectExact(EncodeNode({{"key", "name", 300}, 1000, 2}),
              [](const std::string& bytes) {
                StoredNode node;
                return DecodeNode(bytes, &node);
              });
  ExpectExact(EncodeIds({1, 1000, 100'000}), [](const std::string& bytes) {
    std::vector<NodeId> ids;
    return DecodeIds(bytes, &ids);
  });
  ExpectExact(EncodeDictionary({"depends", "tagged"}),
              [](const std::string& bytes) {
                std::vector<std::string> texts;
                return DecodeDictionary(bytes, &texts);
              });
  GraphMetadata metadata;
  metadata.graph_digest = "d";
  ExpectExact(EncodeMetadata(metadata), [](const std::string& bytes) {
    GraphMetadata decoded;
    return DecodeMetadata(bytes, &decoded);
  });
}

TEST(GraphRecordsTest, MalformedArcsAreRefused) {
  std::vector<Arc> arcs;
  const auto decode = [&](std::string_view bytes) {
    arcs.clear();
    return DecodeArcs(bytes, Direction::kOut, &arcs);
  };
  EXPECT_TRUE(decode(""));
  EXPECT_THAT(arcs, IsEmpty());
  EXPECT_FALSE(decode(std::string_view("\x01\x00", 2)));  // an empty run
  EXPECT_FALSE(decode("\x01\x02\x03"));                   // one id of two
  EXPECT_FALSE(decode(std::string_view("\x01\x02\x03\x00", 4)));  // repeated
  EXPECT_FALSE(decode("\x80\x80\x04\x01\x03"));          // relation of 17 bits
  EXPECT_FALSE(decode("\x01\x01\xFF\xFF\xFF\xFF\x0F"));  // kNoNode
  EXPECT_FALSE(decode(std::string(12, '\xFF')));         // endless varint
}

// Random bytes must decode or be refused, never read out of bounds.
TEST(GraphRecordsTest, RandomBytesAreHarmless) {
  Random random(9);
  size_t refused = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string bytes(random.Below(24), '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.Below(256));
    std::vector<Arc> arcs;
    std::vector<NodeId> ids;
    std::vector<std::string> texts;
    StoredNode node;
    GraphMetadata metadata;
    refused += !DecodeArcs(bytes, Direction::kOut, &arcs);
    refused += !DecodeIds(bytes, &ids);
    refused += !DecodeDictionary(bytes, &texts);
    refused += !DecodeNode(bytes, &node);
    refused += !DecodeMetadata(bytes, &metadata);
    EXPECT_LE(arcs.size(), bytes.size());
  }
  EXPECT_GT(refused, 20'000);
}

}  // namespace
}  // namespace slice
