#include "client/link_file.h"

#include <string>
#include <tuple>

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

TEST(LinkFileTest, NamesTheMissingFieldAndItsColumn) {
  EXPECT_EQ(ErrorOf("r a b\nr a\n"),
            "links.tsv:2:4: the target is missing; a line is \"relation source "
            "target [label]\"");
  EXPECT_THAT(ErrorOf("r"), testing::StartsWith("links.tsv:1:2: the source"));
}

TEST(LinkFileTest, NamesTheEmptyFieldAndItsColumn) {
  EXPECT_EQ(ErrorOf("r\t\tb\n"), "links.tsv:1:3: the source is empty");
  EXPECT_EQ(ErrorOf("r\ta\tb\t\n"), "links.tsv:1:7: the label is empty");
}

TEST(LinkFileTest, RefusesFiveFieldsAtTheFifth) {
  EXPECT_THAT(ErrorOf("r a b 1 x"),
              testing::StartsWith("links.tsv:1:9: more than four fields"));
}

TEST(LinkFileTest, RefusesALabelThatIsNeitherZeroNorOne) {
  EXPECT_THAT(ErrorOf("r a b 0.5"),
              testing::StartsWith(
                  "links.tsv:1:7: bad label \"0.5\": it must be 1 or 0"));
}

TEST(LinkFileTest, RefusesInvalidUtf8AtItsByte) {
  EXPECT_EQ(ErrorOf("r a b\nr \xC3\xA4\xFF b"),
            "links.tsv:2:5: the source is not valid UTF-8");
}

TEST(LinkFileTest, RefusesAFileWithoutLinks) {
  EXPECT_EQ(ErrorOf(" \n\n"), "links.tsv:1:1: there is no link to score");
}

TEST(LinkFileTest, ReadsAFileAndNamesItInErrors) {
  const TempDirectory directory;
  const std::string path = directory.Write("links.tsv", "r a\n").string();
  const auto file = LinkFile::Read(path);
  EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(file.status().message()),
              testing::StartsWith(path + ":1:4:"));
}

TEST(LinkFileTest, ReportsAMissingFile) {
  const TempDirectory directory;
  const auto file = LinkFile::Read((directory / "absent").string());
  EXPECT_EQ(file.status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace slice
