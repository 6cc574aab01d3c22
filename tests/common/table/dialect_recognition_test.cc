#include "common/table/dialect_recognition.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::ElementsAre;

TableDialect DialectOf(std::string_view text) {
  return ReadSample(text, /*is_whole=*/true, {}).dialect;
}

TEST(ReadSampleTest, SeparatorsAndQuotesAreRecognised) {
  const struct {
    const char* text;
    TableDialect dialect;
  } cases[] = {
      {"r a b\n", {}},
      {"r\ta, b\tc, d\n", {}},
      // With commas and semicolons the first quote may come later.
      {"a,b\nc,d\n", {Separator::kComma, true}},
      {"a;b;1,5\nc;d;2,5\n", {Separator::kSemicolon, true}},
      {"New York,Rome\nRome,New York\n", {Separator::kComma, true}},
      {"likes, a, b\nlikes, c, d\n", {Separator::kComma, true}},
      // Names of several words.
      {"Bob Zed,Hal Fox\nAnn Lee,Kim Roe\n", {Separator::kComma, true}},
      {"Bob Zed,Hal Fox\nBob Zed,Kim Roe\n", {Separator::kComma, true}},
      {"likes,Gus Ray,Cid Ash\nlikes,Al Fry,Bo Day\n",
       {Separator::kComma, true}},
      {"Al Fry,Bo Day,likes\nCy Roe,Di Poe,likes\nAl Fry,Di Poe,likes\n",
       {Separator::kComma, true}},
      {"Bob Zed;Hal Fox\nAnn Lee;Kim Roe\n", {Separator::kSemicolon, true}},
      // A name with a comma.
      {"Zed, Hal;P0\nFox, Al;P1\n", {Separator::kSemicolon, true}},
      {"\"a,b\",\"c\"\nd,e\n", {Separator::kComma, true}},
      {"\"a\"\t\"b\tc\"\n\"d\"\te\n", {Separator::kPlain, true}},
      {"r \"a b\" c\n", {Separator::kPlain, true}},
      // Keys with commas between blanks.
      {"likes a,b c,d\nlikes e,f g,h\n", {}},
      {"knows Smith,John Doe,Jane\nknows Roe,Jo Doe,Jane\n", {}},
      // A key that begins with a quote by chance.
      {"name\t\"Weird Al\" Yankovic\tx\nname\t\"a\"\tb\n", {}},
      // A quote that is never closed is a mistake in a file with commas.
      {"a,b\n\"c,d\ne,f\ng,h\ni,j\nk,l\n", {Separator::kComma, true}},
      {"", {}},
  };
  for (const auto& [text, dialect] : cases)
    EXPECT_EQ(DialectOf(text), dialect) << text;
}

TEST(ReadSampleTest, RowsEndWhereQuotesSayAndACutLineIsLeftOut) {
  const TableSample sample = ReadSample("# a comment\n\na,\"b\nc\"\n#d,e\nf,g",
                                        /*is_whole=*/false, {});
  EXPECT_EQ(sample.first_line, "a,\"b\nc\"");
  EXPECT_THAT(sample.rows,
              ElementsAre(ElementsAre("a", "b\nc"), ElementsAre("#d", "e")));
}

// A field that goes on over lines, at the end of a sample.
TEST(ReadSampleTest, ARowThatIsCutOffWithinQuotesIsLeftOut) {
  const TableSample sample =
      ReadSample("\"a\"\tb\nc\t\"one\ntwo\nthr", /*is_whole=*/false, {});
  EXPECT_EQ(sample.dialect, (TableDialect{Separator::kPlain, true}));
  EXPECT_THAT(sample.rows, ElementsAre(ElementsAre("a", "b")));
  // Nothing is cut off here, so it is no quote.
  EXPECT_FALSE(DialectOf("\"a\"\tb\nc\t\"one\ntwo\n").quoted);
}

TEST(ReadSampleTest, ADescriptionSaysWhatTheRowsShow) {
  EXPECT_EQ(ReadSample("a,b\n", true, {}).Describe(), "commas");
  EXPECT_EQ(ReadSample("a,\"b\"\n", true, {}).Describe(), "commas and quotes");
  EXPECT_EQ(ReadSample("a b\n", true, {.quoted = true}).Describe(),
            "blanks and quotes");
}

TEST(ReadSampleTest, TheFormatOverrules) {
  const TableSample sample = ReadSample(
      "\"a\",b c\n", true, {.separator = Separator::kBlanks, .quoted = false});
  EXPECT_EQ(sample.dialect, (TableDialect{Separator::kBlanks, false}));
  EXPECT_THAT(sample.rows, ElementsAre(ElementsAre("\"a\",b", "c")));
}

TEST(ShownLineTest, LongAndWildLinesAreCutAndEscaped) {
  EXPECT_EQ(ShownLine("a\tb"), "a\\tb");
  EXPECT_EQ(ShownLine("caf\xe9"), "caf\\xe9");
  const std::string most(79, 'x');
  EXPECT_EQ(ShownLine(absl::StrCat(most, "\u00e9y")),
            absl::StrCat(most, "..."));
}

}  // namespace
}  // namespace slice
