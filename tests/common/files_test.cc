#include "common/files.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace {

// As on a file system that cannot exchange directories.
bool exchange_is_refused = false;

}  // namespace

// In the place of the one of the C library.
extern "C" int renameat2(int from_folder, const char* from, int to_folder,
                         const char* to, unsigned int flags) noexcept {
  if (exchange_is_refused) {
    errno = EINVAL;
    return -1;
  }
  return static_cast<int>(
      syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}

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

// Whether or not the file system can exchange directories.
class ReplacedDirectoryTest : public ::testing::TestWithParam<bool> {
 protected:
  ReplacedDirectoryTest() { exchange_is_refused = GetParam(); }
  ~ReplacedDirectoryTest() override { exchange_is_refused = false; }

  void Make(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directory(directory_ / name);
    directory_.Write(name + "/f", bytes);
  }
  std::string In(const std::string& name) const {
    return ReadFile(directory_ / (name + "/f")).value_or("");
  }
  absl::Status Replace() const {
    return ReplaceDirectory(directory_ / "new", directory_ / "it");
  }

  const TempDirectory directory_;
};

INSTANTIATE_TEST_SUITE_P(CannotExchange, ReplacedDirectoryTest,
                         ::testing::Bool());

TEST_P(ReplacedDirectoryTest, IsGoneOnceTheOtherIsInItsPlace) {
  for (const char* bytes : {"1", "2"}) {
    Make("new", bytes);
    ASSERT_TRUE(Replace().ok());
    EXPECT_EQ(In("it"), bytes);
    EXPECT_EQ(CountEntries(directory_.path()), 1);
  }
}

TEST_P(ReplacedDirectoryTest, StaysWhenThereIsNoOther) {
  Make("it", "1");
  EXPECT_FALSE(Replace().ok());
  EXPECT_EQ(In("it"), "1");
}

// It may be all that is left of something.
TEST_P(ReplacedDirectoryTest, OfAnEarlierCallIsKept) {
  Make("it.old", "0");
  Make("it", "1");
  Make("new", "2");
  ASSERT_TRUE(Replace().ok());
  EXPECT_EQ(In("it"), "2");
  EXPECT_EQ(In(GetParam() ? "it.1.old" : "it.old"), "0");
  EXPECT_EQ(CountEntries(directory_.path()), 2);
}

TEST_P(ReplacedDirectoryTest, IsPutBackWhenTheOtherDidNotCome) {
  EXPECT_EQ(PutBackDirectory(directory_ / "it").value(), false);
  Make("it.old", "1");
  EXPECT_EQ(PutBackDirectory(directory_ / "it").value(), true);
  EXPECT_EQ(In("it"), "1");
  Make("it.old", "0");
  EXPECT_EQ(PutBackDirectory(directory_ / "it").value(), false);
  EXPECT_EQ(In("it"), "1");
  EXPECT_EQ(In("it.old"), "0");
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
