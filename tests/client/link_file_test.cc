#include "client/link_file.h"

#include <fstream>
#include <string>
#include <tuple>

#include "common/gzip.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

std::string ErrorOf(const std::string& text) {
  const auto file = LinkFile::Parse("links.tsv", text);
  EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(file.status().message().data(),
                     file.status().message().size());
}

TEST(LinkFileTest, ReadsTabSeparatedLinesWithBlanksInNames) {
  const auto file =
      LinkFile::Parse("links.tsv", "written by\tA book\tAn author\n");
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->lines().size(), 1);
  EXPECT_EQ(file->lines()[0].relation, "written by");
  EXPECT_EQ(file->lines()[0].source, "A book");
  EXPECT_EQ(file->lines()[0].target, "An author");
  EXPECT_EQ(file->lines()[0].label, "");
}

TEST(LinkFileTest, ReadsBlankSeparatedLinesWithLabels) {
  const auto file = LinkFile::Parse("test.txt", "1 25 37 1\n2  25   38 0\n");
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->lines().size(), 2);
  EXPECT_EQ(file->lines()[0].label, "1");
  EXPECT_EQ(file->lines()[1].relation, "2");
  EXPECT_EQ(file->lines()[1].target, "38");
  EXPECT_EQ(file->lines()[1].label, "0");
}

TEST(LinkFileTest, KeepsLineNumbersAcrossBlankLines) {
  const auto file = LinkFile::Parse("f", "\n r a b\r\n\n\t\nr c d");
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->lines().size(), 2);
  EXPECT_EQ(file->lines()[0].number, 2);
  EXPECT_EQ(file->lines()[0].target, "b");
  EXPECT_EQ(file->lines()[1].number, 5);
  EXPECT_EQ(file->lines()[1].target, "d");
}

// The files of slice-graph export begin with a comment.
TEST(LinkFileTest, PassesOverComments) {
  const auto file = LinkFile::Parse(
      "links.tsv", "# relation\tsource\ttarget\nr\ta\tb\n# r a b\n");
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->lines().size(), 1);
  EXPECT_EQ(file->lines()[0].relation, "r");
  EXPECT_EQ(file->lines()[0].number, 2);
}

TEST(LinkFileTest, ViewsSurviveMoving) {
  auto file = LinkFile::Parse("f", "r a b");
  ASSERT_TRUE(file.ok());
  const LinkFile moved = *std::move(file);
  EXPECT_EQ(moved.lines()[0].source, "a");
}

TEST(LinkFileTest, FilesAsPeopleHaveThem) {
  const auto file = LinkFile::Parse(
      "f",
      "\xEF\xBB\xBF"
      "from;to;type;label\r\n\"say \"\"a\"\"\";\"b;c\";r;0\r\nx;y;r;1\r\n");
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->lines().size(), 2);
  EXPECT_EQ(file->lines()[0].relation, "r");
  EXPECT_EQ(file->lines()[0].source, "say \"a\"");
  EXPECT_EQ(file->lines()[0].target, "b;c");
  EXPECT_EQ(file->lines()[0].label, "0");
  EXPECT_EQ(file->lines()[1].source, "x");
  EXPECT_EQ(file->lines()[1].number, 3);
  EXPECT_EQ(
      file->recognised(),
      "f: semicolons and quotes, a header; \"from\" is the source, \"to\" "
      "is the target, \"type\" is the relation, \"label\" is the label");
}

TEST(LinkFileTest, TwoColumnsHaveOneRelation) {
  const auto file = LinkFile::Parse("f", "a,b\nc,d\n");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->lines()[1].relation, "link");
  EXPECT_EQ(file->lines()[1].target, "d");
}

TEST(LinkFileTest, NothingIsSaidOfPlainFiles) {
  EXPECT_EQ(LinkFile::Parse("f", "r a b 1\n")->recognised(), "");
}

TEST(LinkFileTest, NamesTheMissingFieldAndItsColumn) {
  EXPECT_EQ(ErrorOf("r a b\nr a\n"),
            "links.tsv:2:4: missing field: the line has no target");
}

TEST(LinkFileTest, NamesTheEmptyFieldAndItsColumn) {
  EXPECT_EQ(ErrorOf("r\t\tb\n"), "links.tsv:1:3: empty field: the source");
  EXPECT_EQ(ErrorOf("r\ta\tb\t\n"), "links.tsv:1:7: empty field: the label");
}

TEST(LinkFileTest, RefusesColumnsThatItDoesNotKnow) {
  EXPECT_THAT(
      ErrorOf("r a b 1 x"),
      testing::StartsWith("links.tsv: it is unknown what the 5 columns hold"));
  EXPECT_THAT(ErrorOf("r a b 1\nr a b 1 x"),
              testing::StartsWith("links.tsv:2:9: extra column \"x\""));
}

TEST(LinkFileTest, RefusesALabelThatIsNeitherZeroNorOne) {
  EXPECT_THAT(ErrorOf("r a b 0.5"),
              testing::StartsWith(
                  "links.tsv:1:7: bad label \"0.5\": it must be 1 or 0"));
}

TEST(LinkFileTest, RefusesInvalidUtf8AtItsByte) {
  EXPECT_EQ(ErrorOf("r a b\nr \xC3\xA4\xFF b"),
            "links.tsv:2:5: invalid UTF-8 in the source \"\\xc3\\xa4\\xff\"");
}

TEST(LinkFileTest, RefusesAFileWithoutLinks) {
  EXPECT_EQ(ErrorOf(" \n\n"), "links.tsv:1:1: there is no link to score");
}

TEST(LinkFileTest, ReadsAFileAndNamesItInErrors) {
  const TempDirectory directory;
  const std::string path =
      directory.Write("links.tsv", "r a b\nr a\n").string();
  const auto file = LinkFile::Read(path);
  EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(file.status().message()),
              testing::StartsWith(path + ":2:4:"));
}

TEST(LinkFileTest, ReadsACompressedFile) {
  const TempDirectory directory;
  const auto path = directory.path() / "links.tsv.gz";
  std::ofstream(path, std::ios::binary) << Gzip("r\ta\tb\n");
  const auto file = LinkFile::Read(path.string(), {});
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->lines().at(0).target, "b");
}

TEST(LinkFileTest, ReportsAMissingFile) {
  const TempDirectory directory;
  const auto file = LinkFile::Read((directory / "absent").string());
  EXPECT_EQ(file.status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace slice
