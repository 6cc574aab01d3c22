#include "server/scheduling/worker_threads.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <map>

#include "common/mutex.h"

namespace slice {
namespace {

TEST(WorkerThreadsTest, RunsEachLaneWithItsPriority) {
  const int own = getpriority(PRIO_PROCESS, 0);
  const int policy = sched_getscheduler(0);
  Mutex mutex;
  struct Priority {
    int niceness, policy;
  };
  std::multimap<WorkLane, Priority> priorities;
  WorkerThreads threads(
      {WorkLane::kInteractive, WorkLane::kBulk}, 2, [&](WorkLane lane) {
        MutexLock lock(&mutex);
        priorities.emplace(lane, Priority{getpriority(PRIO_PROCESS, 0),
                                          sched_getscheduler(0)});
      });
  threads.Join();
  threads.Join();
  ASSERT_EQ(priorities.size(), 4);
  EXPECT_EQ(priorities.count(WorkLane::kBulk), 2);
  for (const auto& [lane, priority] : priorities) {
    if (lane == WorkLane::kBulk) {
      // Beside the threads of others a bulk thread gets at least a small share.
      EXPECT_EQ(priority.policy, SCHED_BATCH);
      EXPECT_EQ(priority.niceness, std::min(19, own + kBulkNiceness));
    } else {
      EXPECT_EQ(priority.policy, policy);
      EXPECT_EQ(priority.niceness, std::min(19, own + kWorkNiceness));
    }
  }
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), own);
  EXPECT_EQ(sched_getscheduler(0), policy);
}

}  // namespace
}  // namespace slice
