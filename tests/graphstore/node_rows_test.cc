#include "graphstore/node_rows.h"

#include <cmath>
#include <string>
#include <utility>
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

// Reads a text whole: "key type name" of each row, or the error.
std::vector<std::string> ReadNodes(std::string_view text,
                                   std::vector<std::string> attributes = {}) {
  LineReader lines(text);
  NodeRowParser parser(std::move(attributes));
  std::vector<std::string> read = {parser.Recognise(&lines)};
  NodeRow row;
  while (const auto line = lines.Next()) {
    if (const auto error = parser.Parse(*line, &row)) {
      read.push_back(error->reason);
    } else if (!row.key.text.empty()) {
      read.push_back(std::string(row.key.text) + " " +
                     std::string(row.type.text) + " " +
                     std::string(row.name.text));
    }
  }
  return read;
}

TEST(NodeFileTest, ANameOfIdsMakesAHeader) {
  EXPECT_THAT(
      ReadNodes("user_id,age,gender\nu1,30,f\nu2,31,m\n"),
      ElementsAre("commas, a header; \"user_id\" is the key, no type, no name",
                  "u1 node ", "u2 node "));
  EXPECT_THAT(ReadNodes("id,age,gender\nu1,30,f\n"),
              ElementsAre(HasSubstr("\"id\" is the key, no type, no name"),
                          "u1 node "));
  EXPECT_THAT(ReadNodes("user_id,age\nu1,30\n", {"age"}),
              ElementsAre(HasSubstr("a header"), "u1 node "));
  EXPECT_THAT(ReadNodes("age,user id,name\n30,u1,Ann\n"),
              ElementsAre(HasSubstr("\"user id\" is the key"), "u1 node Ann"));
  EXPECT_THAT(ReadNodes("# nodes\nid,city,Idaho\na,town,A\n"),
              ElementsAre(HasSubstr("no header"), "id city Idaho", "a town A"));
  // Words that other rows have are no names of columns.
  EXPECT_THAT(
      ReadNodes("user_id,city,Ann\nu1,city,Bob\n"),
      ElementsAre(HasSubstr("no header"), "user_id city Ann", "u1 city Bob"));
}

TEST(NodeFileTest, LabelsThatDifferAreNames) {
  std::string names = "Id,Label\n", types = names, both = "Id,Kind,Label\n";
  for (int i = 0; i < 20; ++i) {
    const std::string id = std::to_string(i);
    names += id + ",node " + id + "\n";
    types += id + ",kind " + std::to_string(i % 3) + "\n";
    both += id + ",city,node " + id + "\n";
  }
  const auto named = ReadNodes(names);
  EXPECT_EQ(named[0],
            "commas, a header; \"Id\" is the key, no type, \"Label\" is the "
            "name");
  EXPECT_EQ(named[5], "4 node node 4");
  EXPECT_EQ(ReadNodes(types)[5], "4 kind 1 ");
  EXPECT_EQ(ReadNodes(both)[5], "4 city node 4");
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
