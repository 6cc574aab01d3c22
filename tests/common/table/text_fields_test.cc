#include "common/table/text_fields.h"

#include <string>
#include <vector>

#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr TableDialect kComma = {Separator::kComma, /*quoted=*/true};

std::vector<std::pair<std::string, size_t>> Fields(
    std::string_view line, const TableDialect& dialect = {}) {
  FieldSplitter splitter(dialect);
  std::vector<TextField> fields;
  EXPECT_FALSE(splitter.Split(line, &fields).has_value()) << line;
  std::vector<std::pair<std::string, size_t>> shown;
  for (const TextField& field : fields)
    shown.emplace_back(field.text, field.column);
  return shown;
}

std::string ErrorOf(std::string_view line, const TableDialect& dialect) {
  FieldSplitter splitter(dialect);
  std::vector<TextField> fields;
  const auto error = splitter.Split(line, &fields);
  return error ? std::to_string(error->column) + ": " + error->reason : "";
}

TEST(FieldSplitterTest, BlanksSeparateHoweverMany) {
  EXPECT_THAT(Fields("  r a   b "),
              ElementsAre(Pair("r", 3), Pair("a", 5), Pair("b", 9)));
}

TEST(FieldSplitterTest, OnlyTabsSeparateInALineWithATab) {
  EXPECT_THAT(
      Fields("r\tNew York\tthe end"),
      ElementsAre(Pair("r", 1), Pair("New York", 3), Pair("the end", 12)));
}

TEST(FieldSplitterTest, TabsKeepEmptyFields) {
  EXPECT_THAT(Fields("r\t\tb\t"), ElementsAre(Pair("r", 1), Pair("", 3),
                                              Pair("b", 4), Pair("", 6)));
}

TEST(FieldSplitterTest, PlainFilesKeepQuotes) {
  EXPECT_THAT(Fields("r \"a b\""),
              ElementsAre(Pair("r", 1), Pair("\"a", 3), Pair("b\"", 6)));
}

TEST(FieldSplitterTest, CommasSeparateWithoutTheBlanksAroundThem) {
  EXPECT_THAT(
      Fields("a b , c,,d ", {Separator::kComma}),
      ElementsAre(Pair("a b", 1), Pair("c", 7), Pair("", 9), Pair("d", 10)));
}

TEST(FieldSplitterTest, QuotedFieldsContainSeparatorsAndQuotes) {
  EXPECT_THAT(Fields("\"a,b\", \"say \"\"hi\"\"\" ,c,\"\"", kComma),
              ElementsAre(Pair("a,b", 2), Pair("say \"hi\"", 9), Pair("c", 22),
                          Pair("", 25)));
  EXPECT_THAT(Fields("r \"a b\" \"c\"", {Separator::kBlanks, true}),
              ElementsAre(Pair("r", 1), Pair("a b", 4), Pair("c", 10)));
  EXPECT_THAT(Fields("5\" disk,\"\n\"", kComma),
              ElementsAre(Pair("5\" disk", 1), Pair("\n", 10)));
}

TEST(FieldSplitterTest, WrongQuotesAreNamed) {
  EXPECT_THAT(ErrorOf("a,\"b,c", kComma),
              HasSubstr("3: the quote that begins here is not closed"));
  EXPECT_THAT(ErrorOf("\"a\"b,c", kComma),
              HasSubstr("4: text behind a closing quote"));
}

// Any texts, written as RFC 4180 says, are read back.
TEST(FieldSplitterTest, WrittenFieldsAreReadBack) {
  Random random(3);
  constexpr std::string_view kLetters = "a,;\"\n\t b";
  for (int round = 0; round < 2000; ++round) {
    std::string line;
    std::vector<std::string> written(1 + random.Below(4));
    for (std::string& field : written) {
      for (uint32_t i = random.Below(6); i > 0; --i)
        field += kLetters[random.Below(kLetters.size())];
      if (!line.empty()) line += ',';
      line += '"';
      for (const char c : field) line += c == '"' ? "\"\"" : std::string(1, c);
      line += '"';
    }
    std::vector<std::string> read;
    for (const auto& [text, column] : Fields(line, kComma))
      read.push_back(text);
    EXPECT_EQ(read, written) << line;
    EXPECT_FALSE(HasOpenQuote(line, kComma)) << line;
    line.pop_back();
    EXPECT_TRUE(HasOpenQuote(line, kComma)) << line;
  }
}

TEST(HasOpenQuoteTest, AMistakeOpensNoQuote) {
  EXPECT_TRUE(HasOpenQuote("a, \"b", kComma));
  EXPECT_FALSE(HasOpenQuote("\"a\"b,\"c", kComma));
  EXPECT_FALSE(HasOpenQuote("\"a\" \"b", kComma));
  EXPECT_FALSE(HasOpenQuote("a\n\"b", kComma));
  EXPECT_TRUE(HasOpenQuote("\"a\" \"b", {Separator::kBlanks, true}));
  EXPECT_FALSE(HasOpenQuote("\"a\"b \"c", {Separator::kBlanks, true}));
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
  EXPECT_EQ(control->reason, "control character 0x07 in the key \"a\\x07\"");
}

TEST(CheckIdentifierTest, TakesWhatAServerTakes) {
  EXPECT_FALSE(CheckIdentifier({std::string(1024, 'x'), 1}, "key").has_value());
  const auto error = CheckIdentifier({std::string(1025, 'x'), 7}, "key");
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->column, 7);
  EXPECT_EQ(error->reason, "the key \"" + std::string(40, 'x') +
                               "...\" has 1025 bytes; at most 1024 are "
                               "allowed");
  const auto invalid = CheckText({"caf\xe9", 2}, "name");
  ASSERT_TRUE(invalid.has_value());
  EXPECT_EQ(invalid->column, 5);
  EXPECT_EQ(invalid->reason, "invalid UTF-8 in the name \"caf\\xe9\"");
}

}  // namespace
}  // namespace slice
