#include "common/table/line_reader.h"

#include <string>
#include <utility>
#include <vector>

#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/common/table/text_file_fixture.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

std::vector<std::pair<uint64_t, std::string>> Lines(
    std::string_view text, const TableDialect& dialect = {}) {
  std::vector<std::pair<uint64_t, std::string>> lines;
  LineReader reader(text);
  reader.SetDialect(dialect);
  while (const auto line = reader.Next())
    lines.emplace_back(line->number, line->text);
  return lines;
}

TEST(LineReaderTest, NumbersLinesAndSkipsThoseWithoutContent) {
  EXPECT_THAT(Lines("a\n\n# c\n \t \nb"),
              ElementsAre(Pair(1, "a"), Pair(5, "b")));
}

TEST(LineReaderTest, TakesEveryLineEnd) {
  EXPECT_THAT(Lines("a\r\nb\n"), ElementsAre(Pair(1, "a"), Pair(2, "b")));
}

TEST(LineReaderTest, SkipsAByteOrderMark) {
  EXPECT_THAT(Lines("\xEF\xBB\xBF"
                    "a\n"),
              ElementsAre(Pair(1, "a")));
}

TEST(LineReaderTest, EmptyTextHasNoLine) { EXPECT_THAT(Lines(""), IsEmpty()); }

TEST(LineReaderTest, RowsGoOnWithinQuotes) {
  constexpr TableDialect kQuoted = {Separator::kComma, /*quoted=*/true};
  EXPECT_THAT(Lines("a,\"b\nc\"\r\nd,\"\n\"\"\n\"\n", kQuoted),
              ElementsAre(Pair(1, "a,\"b\nc\""), Pair(3, "d,\"\n\"\"\n\"")));
}

TEST(LineReaderTest, AHashInQuotesBeginsNoComment) {
  constexpr TableDialect kQuoted = {Separator::kTab, /*quoted=*/true};
  EXPECT_THAT(Lines("\"#a\"\tb\n#c\n\"d\n#e\"\tf\n", kQuoted),
              ElementsAre(Pair(1, "\"#a\"\tb"), Pair(3, "\"d\n#e\"\tf")));
}

TEST(LineReaderTest, ACommentEndsWithItsLine) {
  constexpr TableDialect kQuoted = {Separator::kTab, /*quoted=*/true};
  EXPECT_THAT(Lines("#a\t\"b\nc\"\td\n", kQuoted),
              ElementsAre(Pair(2, "c\"\td")));
}

TEST(LineReaderTest, AWrongQuoteEndsItsRow) {
  constexpr TableDialect kQuoted = {Separator::kComma, /*quoted=*/true};
  // The quote of line 2 is closed in line 4, where text follows.
  EXPECT_THAT(Lines("a,b\n\"c,d\ne,f\n\"g h\",i\nj,k\n", kQuoted),
              ElementsAre(Pair(1, "a,b"), Pair(2, "\"c,d"), Pair(3, "e,f"),
                          Pair(4, "\"g h\",i"), Pair(5, "j,k")));
  EXPECT_THAT(Lines("\"a\" \"b\nc,\"d\"\n", kQuoted),
              ElementsAre(Pair(1, "\"a\" \"b"), Pair(2, "c,\"d\"")));
  // It is never closed.
  EXPECT_THAT(Lines("\"a\nb\",\"c\nd\n", kQuoted),
              ElementsAre(Pair(1, "\"a\nb\",\"c"), Pair(3, "d")));
}

class LineReaderFileTest : public TextFileTest {};

TEST_P(LineReaderFileTest, LinesCrossReadsAndTheDigestIsOfTheText) {
  Random random(5);
  std::string text;
  for (int i = 0; i < 60000; ++i) text += std::to_string(random()) + "\n";
  text += "last without an end";
  Write(text);
  auto lines = LineReader::Open(Path());
  ASSERT_TRUE(lines.ok()) << lines.status();
  std::string again;
  while (const auto line = lines->Next())
    again += std::string(line->text) + "\n";
  EXPECT_TRUE(lines->status().ok()) << lines->status();
  EXPECT_TRUE(again == text + "\n");
  EXPECT_EQ(lines->line_number(), 60001);
  EXPECT_EQ(lines->position(), std::filesystem::file_size(Path()));
  EXPECT_EQ(lines->TextDigest(), Sha256Bytes(text));
}

TEST_P(LineReaderFileTest, AnEndlessLineIsRefused) {
  Write("short\n" + std::string(3 << 20, 'x'));
  auto lines = LineReader::Open(Path());
  ASSERT_TRUE(lines.ok());
  EXPECT_EQ(lines->Next()->text, "short");
  EXPECT_FALSE(lines->Next().has_value());
  EXPECT_EQ(lines->status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(lines->status().message()),
              HasSubstr(Path().string() + ":2:1: a line of more than"));
  EXPECT_FALSE(lines->Next().has_value());
}

INSTANTIATE_TEST_SUITE_P(Formats, LineReaderFileTest,
                         testing::Values("", ".gz", ".zst"));

}  // namespace
}  // namespace slice
