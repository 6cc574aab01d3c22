#include "common/table/text_output.h"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "common/files.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

// What a reader makes of the files is tested in
// tests/common/table/text_input_test.cc.
class TextOutputFileTest : public testing::TestWithParam<const char*> {};

TEST_P(TextOutputFileTest, UncommittedLeavesNothingAndKeepsTheOldFile) {
  const TempDirectory directory;
  const auto path = directory / (std::string("file") + GetParam());
  auto committed = TextOutput::Create(path);
  ASSERT_TRUE(committed.ok()) << committed.status();
  (*committed)->Append("old\n");
  ASSERT_TRUE((*committed)->Commit().ok());
  const std::string bytes = ReadFile(path).value();
  {
    auto output = TextOutput::Create(path);
    ASSERT_TRUE(output.ok());
    for (int i = 0; i < 100'000; ++i) (*output)->Append("a new line\n");
  }
  EXPECT_EQ(ReadFile(path).value(), bytes);
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(directory.path()))
    ++files;
  EXPECT_EQ(files, 1);
}

INSTANTIATE_TEST_SUITE_P(Formats, TextOutputFileTest,
                         testing::Values("", ".gz", ".zst"));

// A process that is stopped removes nothing.
TEST(TextOutputTest, AStoppedProcessLeavesNothing) {
  const TempDirectory directory;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto output = TextOutput::Create(directory / "file");
    if (output.ok()) (*output)->Append("a line\n");
    ::_exit(output.ok() ? 0 : 1);
  }
  int state = 0;
  ASSERT_EQ(::waitpid(child, &state, 0), child);
  ASSERT_EQ(state, 0);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(TextOutputTest, ImpossibleDirectoryIsNamed) {
  const TempDirectory directory;
  EXPECT_EQ(TextOutput::Create(directory / "none/file").status().code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace slice
