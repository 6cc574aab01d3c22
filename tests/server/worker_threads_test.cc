#include "server/worker_threads.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <map>

#include "common/mutex.h"

namespace slice {
namespace {

TEST(WorkerThreadsTest, RunsEachLaneWithItsPriority) {
  const int own = getpriority(PRIO_PROCESS, 0);
  Mutex mutex;
  std::multimap<WorkLane, int> niceness;
  WorkerThreads threads({WorkLane::kInteractive, WorkLane::kBulk}, 2,
                        [&](WorkLane lane) {
                          MutexLock lock(&mutex);
                          niceness.emplace(lane, getpriority(PRIO_PROCESS, 0));
                        });
  threads.Join();
  threads.Join();
  ASSERT_EQ(niceness.size(), 4);
  EXPECT_EQ(niceness.count(WorkLane::kBulk), 2);
  for (const auto& [lane, value] : niceness) {
    EXPECT_EQ(value, std::min(19, own + NicenessOf(lane)));
  }
  EXPECT_GT(NicenessOf(WorkLane::kBulk), NicenessOf(WorkLane::kInteractive));
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), own);
}

}  // namespace
}  // namespace slice
