#include "common/table/column_names.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

TEST(ColumnNamesTest, TheUsualNamesAreKnown) {
  const std::vector<std::vector<std::string>> headers = {
      {"source", "target", "relation"},
      {"From", "To", "Type"},
      {"subject", "object", "predicate"},
      {":START_ID", ":END_ID", ":TYPE"},
      {"src", "dst", "rel"},
      {"head", "tail", "relation"},
      {"node_1", "node 2", "Edge-Type"}};
  for (const auto& header : headers) {
    EXPECT_EQ(FindLinkColumn(header, LinkRole::kSource), 0) << header[0];
    EXPECT_EQ(FindLinkColumn(header, LinkRole::kTarget), 1) << header[1];
    EXPECT_EQ(FindLinkColumn(header, LinkRole::kRelation), 2) << header[2];
    EXPECT_EQ(FindLinkColumn(header, LinkRole::kTime), std::nullopt);
  }
}

TEST(ColumnNamesTest, ThePlainestNameWins) {
  const std::vector<std::string> header = {"type",   "relation", "from",
                                           "source", "year",     "timestamp"};
  EXPECT_EQ(FindLinkColumn(header, LinkRole::kRelation), 1);
  EXPECT_EQ(FindLinkColumn(header, LinkRole::kSource), 3);
  EXPECT_EQ(FindLinkColumn(header, LinkRole::kTime), 5);
}

TEST(ColumnNamesTest, NodesHaveNamesOfTheirOwn) {
  const std::vector<std::string> header = {"Title", "node_id", "category"};
  EXPECT_EQ(FindNodeColumn(header, NodeRole::kKey), 1);
  EXPECT_EQ(FindNodeColumn(header, NodeRole::kType), 2);
  EXPECT_EQ(FindNodeColumn(header, NodeRole::kName), 0);
  EXPECT_EQ(FindNodeColumn(header, NodeRole::kLabel), std::nullopt);
}

TEST(ColumnNamesTest, NamesOfKeyColumnsEndAlike) {
  EXPECT_TRUE(LooksLikeColumnOfKeys("user_id"));
  EXPECT_TRUE(LooksLikeColumnOfKeys("Movie Name"));
  EXPECT_FALSE(LooksLikeColumnOfKeys("madrid"));
  EXPECT_TRUE(LooksLikeColumnOfIds("Movie ID"));
  EXPECT_FALSE(LooksLikeColumnOfIds("Movie Name"));
}

}  // namespace
}  // namespace slice
