#include "common/periodic_task.h"

#include <atomic>
#include <thread>

#include "gtest/gtest.h"

namespace slice {
namespace {

TEST(PeriodicTaskTest, CallsUntilItIsDestroyed) {
  std::atomic<int> calls = 0;
  {
    const PeriodicTask task(absl::Milliseconds(1), [&calls] { ++calls; });
    while (calls < 3) std::this_thread::yield();
  }
  const int after = calls;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(calls, after);
}

TEST(PeriodicTaskTest, EndsWithoutWaitingForTheInterval) {
  const PeriodicTask task(absl::Hours(1), [] { FAIL(); });
}

}  // namespace
}  // namespace slice
