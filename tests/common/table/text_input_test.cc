#include "common/table/text_input.h"

#include <string>
#include <utility>

#include "common/files.h"
#include "common/random.h"
#include "common/table/text_output.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/common/table/text_file_fixture.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

// Random digits, which do not compress well: about 20 bytes a line.
std::string SomeText(int lines) {
  Random random(5);
  std::string text;
  for (int i = 0; i < lines; ++i) text += std::to_string(random()) + "\n";
  return text;
}

absl::StatusOr<std::string> ReadWhole(const std::filesystem::path& path) {
  auto input = TextInput::Open(path);
  if (!input.ok()) return input.status();
  std::string text;
  char buffer[1000];
  while (true) {
    const auto count = (*input)->Read(buffer, sizeof(buffer));
    if (!count.ok()) return count.status();
    if (*count == 0) return text;
    text.append(buffer, *count);
  }
}

class TextInputFileTest : public TextFileTest {};

TEST_P(TextInputFileTest, IsReadAsItWasWritten) {
  for (const int lines : {0, 1, 100, 100000}) {
    const std::string text = SomeText(lines);
    Write(text);
    const auto read = ReadWhole(Path());
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_TRUE(*read == text) << lines;
  }
}

TEST_P(TextInputFileTest, ConcatenatedFilesAreOneText) {
  Write("a b c\n");
  const std::string once = *ReadFile(Path());
  directory_.Write(Path().filename().string(), once + once);
  EXPECT_EQ(ReadWhole(Path()).value(), "a b c\na b c\n");
}

INSTANTIATE_TEST_SUITE_P(Formats, TextInputFileTest,
                         testing::Values("", ".gz", ".zst"));

class DamagedTextInputTest : public TextInputFileTest {};

TEST_P(DamagedTextInputTest, TruncatedOrChangedIsDataLoss) {
  Write(SomeText(20000));
  const std::string whole = *ReadFile(Path());
  std::string changed = whole;
  changed[whole.size() / 2] ^= 0x55;
  changed[whole.size() / 2 + 1] ^= 0x55;
  for (const std::string& bytes :
       {whole.substr(0, whole.size() - 1), whole.substr(0, whole.size() / 3),
        changed}) {
    directory_.Write(Path().filename().string(), bytes);
    const auto read = ReadWhole(Path());
    EXPECT_EQ(read.status().code(), absl::StatusCode::kDataLoss)
        << read.status();
    EXPECT_THAT(std::string(read.status().message()),
                HasSubstr(Path().string()));
  }
}

TEST_P(DamagedTextInputTest, TextBehindTheStreamIsDataLoss) {
  Write("a b c\n");
  const std::string packed = *ReadFile(Path());
  for (const char* behind : {"d e f\n", "d"}) {
    directory_.Write(Path().filename().string(), packed + behind);
    const auto read = ReadWhole(Path());
    EXPECT_EQ(read.status().code(), absl::StatusCode::kDataLoss)
        << read.status();
    EXPECT_THAT(std::string(read.status().message()),
                HasSubstr(Path().string()));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, DamagedTextInputTest,
                         testing::Values(".gz", ".zst"));

TEST(TextInputTest, ZerosMayPadGzip) {
  const TempDirectory directory;
  auto output = TextOutput::Create(directory / "a.gz");
  (*output)->Append("a b c\n");
  ASSERT_TRUE((*output)->Commit().ok());
  const std::string packed = *ReadFile(directory / "a.gz");
  // More zeros than one read takes.
  const std::string zeros(300 << 10, '\0');
  EXPECT_EQ(ReadWhole(directory.Write("b", packed + zeros)).value(), "a b c\n");
  EXPECT_EQ(ReadWhole(directory.Write("b", packed + zeros + packed)).value(),
            "a b c\na b c\n");
  const auto read = ReadWhole(directory.Write("b", packed + zeros + "d"));
  EXPECT_EQ(read.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(read.status().message()),
              HasSubstr("b is not valid gzip data: other bytes follow"));
}

TEST(TextInputTest, MissingFileAndDirectoryAreNamed) {
  const TempDirectory directory;
  EXPECT_EQ(TextInput::Open(directory / "none").status().code(),
            absl::StatusCode::kNotFound);
  const auto opened = TextInput::Open(directory.path());
  EXPECT_EQ(opened.status().code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(opened.status().message()),
              HasSubstr("Is a directory"));
}

TEST(TextInputTest, TheNameOfAFileSaysNothing) {
  const TempDirectory directory;
  auto output = TextOutput::Create(directory / "a.gz");
  (*output)->Append("text\n");
  ASSERT_TRUE((*output)->Commit().ok());
  std::filesystem::rename(directory / "a.gz", directory / "a.tsv");
  EXPECT_EQ(ReadWhole(directory / "a.tsv").value(), "text\n");
  EXPECT_EQ(ReadWhole(directory.Write("b.zst", "plain\n")).value(), "plain\n");
}

TEST(TextInputTest, FormatsThatAreNoTextAreNamed) {
  const TempDirectory directory;
  const std::pair<std::string, const char*> cases[] = {
      {"PK\x03\x04 and more", "links is a ZIP archive, perhaps a spreadsheet"},
      {"PAR1\x15 and more", "links is a Parquet file; save it as CSV"},
      {"\xFF\xFE and more", "links is text in UTF-16; save it in UTF-8"},
      {"\xFE\xFF and more", "links is text in UTF-16; save it in UTF-8"}};
  for (const auto& [content, error] : cases) {
    const auto read = ReadWhole(directory.Write("links", content));
    EXPECT_EQ(read.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(read.status().message()), HasSubstr(error));
  }
  for (const char* text : {"PK", "PAR1 likes tea\n", "\xFF"}) {
    EXPECT_EQ(ReadWhole(directory.Write("links", text)).value(), text);
  }
}

}  // namespace
}  // namespace slice
