#include "graphstore/text_fields.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

std::vector<std::pair<std::string, size_t>> Fields(std::string_view line) {
  std::vector<TextField> fields;
  SplitFields(line, &fields);
  std::vector<std::pair<std::string, size_t>> shown;
  for (const TextField& field : fields)
    shown.emplace_back(field.text, field.column);
  return shown;
}

TEST(SplitFieldsTest, BlanksSeparateHoweverMany) {
  EXPECT_THAT(Fields("  r a   b "),
              ElementsAre(Pair("r", 3), Pair("a", 5), Pair("b", 9)));
}

TEST(SplitFieldsTest, OnlyTabsSeparateInALineWithATab) {
  EXPECT_THAT(
      Fields("r\tNew York\tthe end"),
      ElementsAre(Pair("r", 1), Pair("New York", 3), Pair("the end", 12)));
}

TEST(SplitFieldsTest, TabsKeepEmptyFields) {
  EXPECT_THAT(Fields("r\t\tb\t"), ElementsAre(Pair("r", 1), Pair("", 3),
                                              Pair("b", 4), Pair("", 6)));
}

TEST(Utf8Test, AcceptsEveryLength) {
  EXPECT_FALSE(FindInvalidUtf8("a\u00e9\u20ac\U0001F600").has_value());
  EXPECT_FALSE(FindInvalidUtf8("\xF4\x8F\xBF\xBF").has_value());
}

TEST(Utf8Test, FindsTheFirstWrongByte) {
  EXPECT_EQ(FindInvalidUtf8("ab\xFF"), 2);
  EXPECT_EQ(FindInvalidUtf8("a\xC3"), 1);             // cut off
  EXPECT_EQ(FindInvalidUtf8("\xC0\xAF"), 0);          // overlong
  EXPECT_EQ(FindInvalidUtf8("\xE0\x9F\xBF"), 0);      // overlong
  EXPECT_EQ(FindInvalidUtf8("x\xED\xA0\x80"), 1);     // surrogate
  EXPECT_EQ(FindInvalidUtf8("\xF4\x90\x80\x80"), 0);  // above U+10FFFF
  EXPECT_EQ(FindInvalidUtf8("\xF0\x9F\x98"), 0);      // cut off
  EXPECT_EQ(FindInvalidUtf8("\x80"), 0);              // continuation alone
}

TEST(ReplaceControlsTest, ReplacesAndCounts) {
  uint64_t replaced = 0;
  EXPECT_EQ(ReplaceControls("a\x01"
                            "b\x1B[0m\x7F\u0085\u00e9",
                            &replaced),
            "a\uFFFD"
            "b\uFFFD[0m\uFFFD\uFFFD\u00e9");
  EXPECT_EQ(replaced, 4);
}

TEST(CheckIdentifierTest, PointsAtTheWrongByte) {
  EXPECT_FALSE(CheckIdentifier({"caf\u00e9 au lait", 5}, "key").has_value());
  const auto control = CheckIdentifier({"a\x07", 5}, "key");
  ASSERT_TRUE(control.has_value());
  EXPECT_EQ(control->column, 6);
  EXPECT_EQ(control->reason, "control character 0x07 in the key");
}

}  // namespace
}  // namespace slice
