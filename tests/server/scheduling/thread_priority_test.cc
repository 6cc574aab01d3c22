#include "server/scheduling/thread_priority.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <thread>

namespace slice {
namespace {

// The time slice of the calling thread; 0 where Linux does not tell it (before
// 6.12).
uint64_t SliceNanoseconds() {
  std::array<uint64_t, 7> attributes = {};
  constexpr size_t kRuntime = 3;  // sched_runtime of sched_attr
  EXPECT_EQ(
      syscall(SYS_sched_getattr, 0, attributes.data(), sizeof attributes, 0),
      0);
  return attributes[kRuntime];
}

TEST(ThreadPriorityTest, BackgroundWorkIsNicerAndHasALongSlice) {
  const int own = getpriority(PRIO_PROCESS, 0);
  const uint64_t own_slice = SliceNanoseconds();
  int niceness = 0, policy = -1;
  uint64_t slice = 0;
  std::thread([&] {
    WorkInBackground(10);
    niceness = getpriority(PRIO_PROCESS, 0);
    policy = sched_getscheduler(0);
    slice = SliceNanoseconds();
  }).join();
  EXPECT_EQ(niceness, std::min(19, own + 10));
  EXPECT_EQ(policy, SCHED_OTHER);
  if (own_slice > 0) {
    EXPECT_GT(slice, 2 * own_slice);
  }
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), own);
  EXPECT_EQ(SliceNanoseconds(), own_slice);
}

TEST(ThreadPriorityTest, ThreadsThatItStartsAreAsNice) {
  const int own = getpriority(PRIO_PROCESS, 0);
  int niceness = 0;
  std::thread([&] {
    BeNicer(3);
    std::thread([&] { niceness = getpriority(PRIO_PROCESS, 0); }).join();
  }).join();
  EXPECT_EQ(niceness, std::min(19, own + 3));
}

}  // namespace
}  // namespace slice
