#include "common/processor_count.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

// A machine of eight processors without limits. Tests add limits to it.
class ProcessorCountTest : public testing::Test {
 protected:
  ProcessorCountTest() {
    Write("sys/devices/system/cpu/online", "0-7\n");
    Allow("0-7");
  }

  void Write(const std::string& path, std::string_view text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    root_.Write(path, text);
  }
  void Allow(const std::string& list) {
    Write("proc/self/status",
          absl::StrCat("Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t",
                       list, "\nMems_allowed:\t1\n"));
  }
  // Mounts the hierarchy of version 2: its groups below `root`.
  void MountVersion2(const std::string& group, const std::string& root = "/") {
    Write("proc/self/cgroup", absl::StrCat("0::", group, "\n"));
    Write(
        "proc/self/mountinfo",
        absl::StrCat(
            "22 27 0:21 / /proc rw,relatime - proc proc rw\n30 23 0:26 ", root,
            " /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n"));
  }
  // Mounts a hierarchy of version 1, where controllers have hierarchies of
  // their own.
  void MountVersion1(const std::string& group, const std::string& root = "/") {
    Write(
        "proc/self/cgroup",
        absl::StrCat("4:memory:/elsewhere\n2:cpu,cpuacct:", group, "\n0::/\n"));
    Write("proc/self/mountinfo",
          absl::StrCat("32 31 0:29 ", root,
                       " /sys/fs/cgroup/cpu\\040time rw,relatime - cgroup "
                       "cgroup rw,cpuacct,cpu\n"
                       "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup "
                       "rw,memory\n"));
  }
  void SetVersion1(const std::string& group, int quota, int period) {
    const std::string folder = absl::StrCat("sys/fs/cgroup/cpu time", group);
    Write(folder + "/cpu.cfs_quota_us", absl::StrCat(quota, "\n"));
    Write(folder + "/cpu.cfs_period_us", absl::StrCat(period, "\n"));
  }

  ProcessorShare Read() const { return ReadProcessorShare(root_.path()); }

  const TempDirectory root_;
};

TEST_F(ProcessorCountTest, CountsTheProcessorsThatAreOnline) {
  Write("sys/devices/system/cpu/online", "0,2-4,6\n");
  EXPECT_EQ(Read().online, 5);
  EXPECT_EQ(Read().Count(), 5);
  EXPECT_EQ(Read().Limit(), "");
}

TEST_F(ProcessorCountTest, FollowsTheAffinityMask) {
  Allow("1,3-4");
  EXPECT_EQ(Read().Count(), 3);
  EXPECT_EQ(Read().Limit(), "an affinity mask of 3 of 8 processors");
}

TEST_F(ProcessorCountTest, AMaskMayNameProcessorsThatAreNotThere) {
  Allow("0-1023");
  EXPECT_EQ(Read().Count(), 8);
  Allow("6-1023");
  EXPECT_EQ(Read().Count(), 2);
}

TEST_F(ProcessorCountTest, FollowsAQuotaOfVersion2) {
  MountVersion2("/app");
  Write("sys/fs/cgroup/app/cpu.max", "200000 100000\n");
  EXPECT_EQ(Read().quota, 2);
  EXPECT_EQ(Read().Count(), 2);
  EXPECT_EQ(Read().Limit(),
            "a quota of 2 of 8 processors (/sys/fs/cgroup/app/cpu.max)");
}

TEST_F(ProcessorCountTest, MaxIsNoQuota) {
  MountVersion2("/app");
  Write("sys/fs/cgroup/app/cpu.max", "max 100000\n");
  EXPECT_TRUE(std::isinf(Read().quota));
  EXPECT_EQ(Read().Count(), 8);
  EXPECT_EQ(Read().Limit(), "");
}

TEST_F(ProcessorCountTest, PartsOfAProcessorCountAsOne) {
  MountVersion2("/");
  for (const auto& [text, count] : {std::pair{"150000 100000", 2},
                                    {"100001 100000", 2},
                                    {"100000 100000", 1},
                                    {"1000 100000", 1},
                                    {"790000 100000", 8},
                                    {"6400000 100000", 8}}) {
    Write("sys/fs/cgroup/cpu.max", text);
    EXPECT_EQ(Read().Count(), count) << text;
  }
}

TEST_F(ProcessorCountTest, AGroupAboveMayBeTighter) {
  MountVersion2("/pods/one/app");
  Write("sys/fs/cgroup/pods/one/app/cpu.max", "400000 100000\n");
  Write("sys/fs/cgroup/pods/one/cpu.max", "max 100000\n");
  Write("sys/fs/cgroup/pods/cpu.max", "50000 20000\n");
  EXPECT_EQ(Read().quota, 2.5);
  EXPECT_EQ(Read().Count(), 3);
  EXPECT_EQ(Read().quota_file, "/sys/fs/cgroup/pods/cpu.max");
}

TEST_F(ProcessorCountTest, AContainerMaySeeItsOwnGroupAsTheMount) {
  // Without a namespace of control groups, the path is the host's.
  MountVersion2("/docker/abc", "/docker/abc");
  Write("sys/fs/cgroup/cpu.max", "100000 100000\n");
  EXPECT_EQ(Read().Count(), 1);
  MountVersion2("/docker/abc/inner", "/docker/abc");
  Write("sys/fs/cgroup/cpu.max", "300000 100000\n");
  Write("sys/fs/cgroup/inner/cpu.max", "200000 100000\n");
  EXPECT_EQ(Read().Count(), 2);
  // With a namespace, the path of a group outside of it starts with "..".
  MountVersion2("/../other");
  EXPECT_EQ(Read().Count(), 3);
}

TEST_F(ProcessorCountTest, FollowsAQuotaOfVersion1) {
  MountVersion1("/kube/pod");
  SetVersion1("/kube/pod", 150000, 50000);
  SetVersion1("/kube", -1, 100000);
  EXPECT_EQ(Read().Count(), 3);
  SetVersion1("/kube", 20000, 20000);
  EXPECT_EQ(Read().Count(), 1);
  EXPECT_EQ(Read().quota_file, "/sys/fs/cgroup/cpu time/kube/cpu.cfs_quota_us");
}

TEST_F(ProcessorCountTest, NoQuotaOfVersion1IsMinusOne) {
  MountVersion1("/");
  SetVersion1("", -1, 100000);
  EXPECT_EQ(Read().Count(), 8);
}

TEST_F(ProcessorCountTest, BothMaskAndQuotaLimit) {
  MountVersion2("/app");
  Write("sys/fs/cgroup/app/cpu.max", "300000 100000\n");
  Allow("0-1");
  EXPECT_EQ(Read().Count(), 2);
  EXPECT_EQ(Read().Limit(), "an affinity mask of 2 of 8 processors");
  Allow("0-3");
  EXPECT_EQ(Read().Count(), 3);
}

TEST_F(ProcessorCountTest, WhatIsMalformedLimitsNothing) {
  MountVersion2("/app");
  for (const char* text : {"", "max", "x 100000", "100000", "1 0", "-5 100",
                           "0 100000", "1 2 3"}) {
    Write("sys/fs/cgroup/app/cpu.max", text);
    EXPECT_EQ(Read().Count(), 8) << text;
  }
  Write("proc/self/mountinfo", "- - -\n1 2 - cgroup2\n\n30 cgroup2 -\n");
  Allow("x");
  EXPECT_EQ(Read().Count(), 8);
}

TEST(ProcessorCount, IsAtLeastOneWhereNothingCanBeRead) {
  const TempDirectory empty;
  const ProcessorShare share = ReadProcessorShare(empty.path());
  EXPECT_GE(share.Count(), 1);
  EXPECT_EQ(share.Count(), share.online);
  EXPECT_EQ(share.Limit(), "");
}

TEST(ProcessorCount, OfThisProcessIsWithinTheMachine) {
  EXPECT_GE(ProcessorCount(), 1);
  EXPECT_LE(ProcessorCount(), OwnProcessorShare().online);
  EXPECT_EQ(ProcessorCount(), OwnProcessorShare().Count());
}

}  // namespace
}  // namespace slice
