#include "common/directory_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/parallel.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class DirectoryLockTest : public ::testing::Test {
 protected:
  const TempDirectory directory_;
  const fs::path work_ = directory_ / "a/b/work";
};

TEST_F(DirectoryLockTest, ASecondLockIsRefusedAndNamesTheProcess) {
  const auto lock = DirectoryLock::Acquire(work_);
  ASSERT_TRUE(lock.ok()) << lock.status();
  const auto second = DirectoryLock::Acquire(work_);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(second.status().message()),
              AllOf(HasSubstr(absl::StrCat("process ", int64_t{::getpid()})),
                    HasSubstr(work_.string()), HasSubstr("choose another")));
}

TEST_F(DirectoryLockTest, EndsWithTheObjectAndLeavesNothingBehind) {
  for (int i = 0; i < 2; ++i) {
    const auto lock = DirectoryLock::Acquire(work_);
    ASSERT_TRUE(lock.ok()) << lock.status();
    EXPECT_TRUE(fs::is_directory(work_));
  }
  EXPECT_FALSE(fs::exists(directory_ / "a"));
}

TEST_F(DirectoryLockTest, KeepsDirectoriesThatExistedOrHoldFiles) {
  fs::create_directories(directory_ / "a");
  { ASSERT_TRUE(DirectoryLock::Acquire(work_).ok()); }
  EXPECT_TRUE(fs::exists(directory_ / "a"));
  EXPECT_FALSE(fs::exists(directory_ / "a/b"));
  {
    const auto lock = DirectoryLock::Acquire(work_);
    ASSERT_TRUE(lock.ok());
    directory_.Write("a/b/work/result", "kept");
  }
  EXPECT_TRUE(fs::exists(work_ / "result"));
  EXPECT_FALSE(fs::exists(work_ / "lock"));
}

TEST_F(DirectoryLockTest, DiesWithItsProcess) {
  int ready[2] = {};
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = DirectoryLock::Acquire(work_);
    const char taken = lock.ok() ? 1 : 0;
    (void)!::write(ready[1], &taken, 1);
    ::pause();
  }
  char taken = 0;
  ASSERT_EQ(::read(ready[0], &taken, 1), 1);
  EXPECT_EQ(taken, 1);
  EXPECT_THAT(std::string(DirectoryLock::Acquire(work_).status().message()),
              HasSubstr(absl::StrCat("process ", int64_t{child})));
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(DirectoryLock::Acquire(work_).ok());
}

// However they interleave, at most one object has the lock at a time.
TEST_F(DirectoryLockTest, NeverTwoAtOnce) {
  std::atomic<int> holders{0}, taken{0};
  ParallelFor(2000, 1, 8, [&](size_t, size_t, int) {
    const auto lock = DirectoryLock::Acquire(work_);
    if (!lock.ok()) return;
    EXPECT_EQ(++holders, 1);
    ++taken;
    --holders;
  });
  EXPECT_GT(taken, 0);
}

TEST_F(DirectoryLockTest, SaysWhyItCannotLock) {
  directory_.Write("file", "");
  EXPECT_THAT(
      std::string(
          DirectoryLock::Acquire(directory_ / "file/work").status().message()),
      HasSubstr("Not a directory"));
}

}  // namespace
}  // namespace slice
