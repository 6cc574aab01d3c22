#include "common/table/table_dialect.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

TEST(TableFormatTest, EachWordSaysOneThing) {
  EXPECT_EQ(*ParseTableFormat(""), TableFormat{});
  EXPECT_EQ(*ParseTableFormat("comma,header"),
            (TableFormat{.separator = Separator::kComma, .header = true}));
  EXPECT_EQ(
      *ParseTableFormat("no-quotes,no-header,blanks"),
      (TableFormat{
          .separator = Separator::kBlanks, .quoted = false, .header = false}));
}

TEST(TableFormatTest, AWrongWordIsNamed) {
  const auto format = ParseTableFormat("comma,colon");
  EXPECT_EQ(format.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(std::string(format.status().message()),
            "\"colon\" in the format \"comma,colon\" is none of tab, blanks, "
            "comma, semicolon, quotes, no-quotes, header and no-header");
}

TEST(TableDialectTest, ADialectIsDescribed) {
  EXPECT_EQ(DescribeDialect({}, "r a b"), "blanks");
  EXPECT_EQ(DescribeDialect({}, "r\ta\tb"), "tabs");
  EXPECT_EQ(DescribeDialect({Separator::kSemicolon, true}, "a;b"),
            "semicolons and quotes");
}

}  // namespace
}  // namespace slice
