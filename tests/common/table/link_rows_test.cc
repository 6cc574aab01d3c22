#include "common/table/link_rows.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

// "column: reason" of a refused row, "" for a good one.
std::string ErrorOf(const LinkColumns& columns, std::string_view text,
                    LinkRow* row) {
  LinkRowParser parser(columns);
  const auto error = parser.Parse({1, text}, row);
  return error ? std::to_string(error->column) + ": " + error->reason : "";
}

std::string ErrorOf(const LinkColumns& columns, std::string_view text) {
  LinkRow row;
  return ErrorOf(columns, text, &row);
}

TEST(LinkRowTest, ColumnsHaveAnyOrder) {
  const auto columns =
      LinkColumns::Parse("weight,_,target,label,source,relation");
  ASSERT_TRUE(columns.ok()) << columns.status();
  LinkRow row;
  EXPECT_EQ(ErrorOf(*columns, "2.5 junk t 0 s r", &row), "");
  EXPECT_EQ(row.relation.text, "r");
  EXPECT_EQ(row.source.text, "s");
  EXPECT_EQ(row.target.text, "t");
  EXPECT_EQ(row.target.column, 10);
  EXPECT_FALSE(row.positive);
  EXPECT_EQ(row.label_column, 12);
  EXPECT_EQ(row.weight, 2.5f);
}

TEST(LinkRowTest, RelationMayBeLeftOut) {
  LinkRow row;
  EXPECT_EQ(ErrorOf(*LinkColumns::Parse("source,target"), "a b", &row), "");
  EXPECT_EQ(row.relation.text, "link");
  EXPECT_TRUE(row.positive);
  EXPECT_EQ(row.weight, 1);
}

TEST(LinkRowTest, OptionalLabelComesLast) {
  const LinkColumns columns = LinkColumns().WithOptionalLabel();
  LinkRow row;
  EXPECT_EQ(ErrorOf(columns, "r a b", &row), "");
  EXPECT_TRUE(row.positive);
  EXPECT_EQ(ErrorOf(columns, "r a b 0", &row), "");
  EXPECT_FALSE(row.positive);
  EXPECT_EQ(ErrorOf(columns, "r a b", &row), "");
  EXPECT_TRUE(row.positive);
  EXPECT_EQ(ErrorOf(columns, "r a b 1 1"),
            "9: extra column \"1\" after the label");
  const LinkColumns labelled = *LinkColumns::Parse("label,source,target");
  EXPECT_EQ(ErrorOf(labelled, "1 a"),
            "4: missing field: the line has no target");
}

TEST(LinkRowTest, BadLabelsAndWeightsAreNamed) {
  const LinkColumns columns =
      *LinkColumns::Parse("relation,source,target,weight,label");
  EXPECT_EQ(ErrorOf(columns, "r a b 1 yes"),
            "9: bad label \"yes\": it must be 1 or 0");
  EXPECT_EQ(ErrorOf(columns, "r\ta\tb\t1\t"), "9: empty field: the label");
  EXPECT_EQ(ErrorOf(columns, "r\ta\tb\t\t1"), "7: empty field: the weight");
  for (const char* weight : {"0", "-1", "nan", "inf", "1e39", "1e-40", "x",
                             "1.5kg", "-inf", "0x", "1,5"}) {
    EXPECT_THAT(ErrorOf(columns, std::string("r a b ") + weight + " 1"),
                HasSubstr(std::string("7: bad weight \"") + weight +
                          "\": it must be a number from"));
  }
  LinkRow row;
  EXPECT_EQ(ErrorOf(columns, "r a b 1e-3 1", &row), "");
  EXPECT_EQ(row.weight, 1e-3f);
}

}  // namespace
}  // namespace slice
