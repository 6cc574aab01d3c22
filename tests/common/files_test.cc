#include "common/files.h"

#include <cerrno>
#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

size_t CountEntries(const std::filesystem::path& directory) {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(directory))
    ++count;
  return count;
}

TEST(FilesTest, ReadsBackWhatWasWritten) {
  const TempDirectory directory;
  std::string bytes("a\0b\n", 4);
  bytes.append(3 << 20, 'x');
  ASSERT_TRUE(WriteFileAtomically(directory / "f", bytes).ok());
  EXPECT_EQ(ReadFile(directory / "f").value(), bytes);
}

TEST(FilesTest, ReplacesAFileAndLeavesNoOther) {
  const TempDirectory directory;
  ASSERT_TRUE(WriteFileAtomically(directory / "f", "old").ok());
  ASSERT_TRUE(WriteFileAtomically(directory / "f", "new").ok());
  EXPECT_EQ(ReadFile(directory / "f").value(), "new");
  EXPECT_EQ(CountEntries(directory.path()), 1);
}

TEST(FilesTest, FailedWriteKeepsTheOldFile) {
  const TempDirectory directory;
  std::filesystem::create_directory(directory / "taken");
  directory.Write("taken/inside", "kept");
  EXPECT_FALSE(WriteFileAtomically(directory / "taken", "new").ok());
  EXPECT_EQ(ReadFile(directory / "taken/inside").value(), "kept");
  EXPECT_EQ(CountEntries(directory.path()), 1);
}

TEST(FilesTest, MissingFileIsNotFoundByName) {
  const TempDirectory directory;
  const auto read = ReadFile(directory / "none");
  EXPECT_EQ(read.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(read.status().message()),
              HasSubstr((directory / "none").string()));
}

TEST(FilesTest, WritingBelowAMissingDirectoryIsNotFound) {
  const TempDirectory directory;
  EXPECT_EQ(WriteFileAtomically(directory / "none/f", "x").code(),
            absl::StatusCode::kNotFound);
}

TEST(FilesTest, TheFolderOfAFileIsMadeOrSaidToBeImpossible) {
  const TempDirectory directory;
  const auto file = directory / "a/b/page.html";
  ASSERT_TRUE(CreateFolderOf(file).ok());
  EXPECT_TRUE(WriteFileAtomically(file, "x").ok());
  EXPECT_TRUE(CreateFolderOf(file).ok());
  EXPECT_TRUE(CreateFolderOf("page.html").ok());
  EXPECT_TRUE(CreateFolderOf("").ok());
  EXPECT_FALSE(CreateFolderOf(directory / "a").ok());  // a folder itself
  // A path that the system refuses to look at is an error, not an exception.
  EXPECT_FALSE(CreateFolderOf(directory / std::string(5000, 'x')).ok());
  const absl::Status status = CreateFolderOf(file / "page.html");
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr(file.string()));
}

TEST(FilesTest, DirectoryCannotBeReadAsAFile) {
  const TempDirectory directory;
  EXPECT_EQ(ReadFile(directory.path()).status().code(),
            absl::StatusCode::kInternal);
}

TEST(FilesTest, ErrorsGetTheCodeOfTheirNumber) {
  EXPECT_EQ(FileError("open", "x", ENOENT).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(FileError("open", "x", EACCES).code(),
            absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(FileError("write", "x", ENOSPC).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(FileError("read", "x", EIO).code(), absl::StatusCode::kInternal);
  EXPECT_EQ(FileError("write", "dir/x", ENOSPC).message(),
            "cannot write dir/x: No space left on device");
}

}  // namespace
}  // namespace slice
