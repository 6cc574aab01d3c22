#include "graphstore/node_rows.h"

#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Parses lines one after another; the last error and the last row are kept.
class NodeRowTest : public testing::Test {
 protected:
  std::string Error(NodeRowParser* parser, std::string_view text) {
    const auto error = parser->Parse({++line_, text}, &row_);
    return error ? std::to_string(error->column) + ": " + error->reason : "";
  }

  uint64_t line_ = 0;
  NodeRow row_;
};

TEST_F(NodeRowTest, HeaderNamesColumnsInAnyOrder) {
  NodeRowParser parser({});
  EXPECT_EQ(Error(&parser, "type\tid\tcolour\tname"), "");
  EXPECT_EQ(row_.key.text, "");
  EXPECT_EQ(Error(&parser, "city\t#b\tred\tBonn"), "");
  EXPECT_EQ(row_.key.text, "#b");
  EXPECT_EQ(row_.type.text, "city");
  EXPECT_EQ(row_.name.text, "Bonn");
  EXPECT_EQ(row_.name.column, 13);
}

TEST_F(NodeRowTest, AttributesAreNumbersOrMissing) {
  NodeRowParser parser({"height", "age"});
  EXPECT_EQ(Error(&parser, "key\ttype\tname\tage\theight"), "");
  EXPECT_EQ(Error(&parser, "a\tx\tA\t30\t-1.5"), "");
  EXPECT_THAT(row_.attributes, ElementsAre(-1.5f, 30.0f));
  EXPECT_EQ(Error(&parser, "a\tx\tA\tNA\t"), "");
  ASSERT_EQ(row_.attributes.size(), 2);
  EXPECT_TRUE(std::isnan(row_.attributes[0]));
  EXPECT_TRUE(std::isnan(row_.attributes[1]));
  EXPECT_THAT(Error(&parser, "a\tx\tA\t30\ttall"),
              HasSubstr("10: bad value \"tall\" of the attribute height"));
  EXPECT_THAT(Error(&parser, "a\tx\tA\tinf\t1"),
              HasSubstr("7: bad value \"inf\" of the attribute age"));
  EXPECT_EQ(Error(&parser, "a\tx\tA\t30"),
            "9: missing field: the line has no height");
}

TEST_F(NodeRowTest, AHeaderMayLeaveOutTheTypeOrTheName) {
  LineReader lines("node_id,Title\nb,Bonn\n");
  NodeRowParser parser({});
  EXPECT_EQ(
      parser.Recognise(&lines),
      "commas, a header; \"node_id\" is the key, no type, \"Title\" is the "
      "name");
  EXPECT_EQ(Error(&parser, "node_id,Title"), "");
  EXPECT_EQ(Error(&parser, "b,Bonn"), "");
  EXPECT_EQ(row_.key.text, "b");
  EXPECT_EQ(row_.type.text, "node");
  EXPECT_EQ(row_.name.text, "Bonn");
}

TEST_F(NodeRowTest, UnknownAttributeAndMissingHeaderAreNamed) {
  NodeRowParser parser({"size"});
  EXPECT_EQ(Error(&parser, "key\ttype\tname\tage"),
            "1: there is no attribute column \"size\"; the columns are key, "
            "type, name, age");
  NodeRowParser without({"size"});
  line_ = 0;
  EXPECT_THAT(Error(&without, "a\tx\tA\t3"), HasSubstr("need a header"));
}

}  // namespace
}  // namespace slice
