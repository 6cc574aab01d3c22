#include "common/available_memory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>

#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

TEST(AvailableMemory, ReadsTheNumberAfterAField) {
  constexpr char kText[] =
      "MemTotal:       2048 kB\nMemAvailable:   1536 kB\nBuffers: 1 kB\n";
  EXPECT_EQ(NumberAfter("MemAvailable:", kText), 1536);
  EXPECT_EQ(NumberAfter("anon ", "anon 4096\nfile 7\n"), 4096);
}

TEST(AvailableMemory, IsInfiniteWhenNothingTells) {
  EXPECT_TRUE(std::isinf(NumberAfter("MemAvailable:", "MemTotal: 1 kB\n")));
  EXPECT_TRUE(std::isinf(NumberAfter("MemAvailable:", "MemAvailable: -\n")));
}

// A machine whose service manager has put this process into app.service.
class MemoryGroupsTest : public testing::Test {
 protected:
  MemoryGroupsTest() {
    Write("proc/self/cgroup", "4:memory:/elsewhere\n0::/all/app.service\n");
  }

  void Write(const std::string& path, std::string_view text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    root_.Write(path, text);
  }
  double Left() const { return MemoryLeftByGroups(root_.path()); }

  TempDirectory root_;
};

TEST_F(MemoryGroupsTest, WithoutALimitAllMayBeTaken) {
  EXPECT_TRUE(std::isinf(Left()));
  Write("sys/fs/cgroup/all/app.service/memory.max", "max\n");
  EXPECT_TRUE(std::isinf(Left()));
}

TEST_F(MemoryGroupsTest, TheOwnGroupMayLimitIt) {
  Write("sys/fs/cgroup/all/app.service/memory.max", "1000\n");
  EXPECT_EQ(Left(), 1000);
  Write("sys/fs/cgroup/all/app.service/memory.stat", "anon 300\nfile 600\n");
  EXPECT_EQ(Left(), 700);
}

TEST_F(MemoryGroupsTest, TheGroupsAboveMayLimitItMore) {
  Write("sys/fs/cgroup/all/app.service/memory.max", "1000\n");
  Write("sys/fs/cgroup/all/memory.max", "500\n");
  Write("sys/fs/cgroup/all/memory.stat", "anon 600\n");
  EXPECT_EQ(Left(), 0);
}

TEST_F(MemoryGroupsTest, AContainerSeesItsOwnGroupAsTheRoot) {
  Write("proc/self/cgroup", "0::/\n");
  Write("sys/fs/cgroup/memory.max", "800\n");
  EXPECT_EQ(Left(), 800);
}

TEST(AvailableMemory, OfThisMachineIsAboveZero) {
  EXPECT_GT(AvailableMemoryMib(), 1);
}

}  // namespace
}  // namespace slice
