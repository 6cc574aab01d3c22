#include "server/task_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <vector>

namespace slice {
namespace {

TEST(TaskQueueTest, RunsTasksInTheOrderPosted) {
  std::vector<int> order;
  TaskQueue queue(1, 100);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(queue.TryPost([&order, i] { order.push_back(i); }));
  }
  queue.Close();
  ASSERT_EQ(order.size(), 100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[i], i);
}

TEST(TaskQueueTest, CloseRunsWhatIsQueued) {
  std::atomic<int> count{0};
  TaskQueue queue(3, 1000);
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(queue.TryPost([&count] { ++count; }));
  }
  queue.Close();
  EXPECT_EQ(count, 500);
  EXPECT_EQ(queue.size(), 0);
}

TEST(TaskQueueTest, AFullQueueRefuses) {
  std::promise<void> started, release;
  TaskQueue queue(1, 2);
  ASSERT_TRUE(queue.TryPost([&] {
    started.set_value();
    release.get_future().wait();
  }));
  started.get_future().wait();
  bool ran = false;
  EXPECT_TRUE(queue.TryPost([] {}));
  EXPECT_TRUE(queue.TryPost([] {}));
  EXPECT_FALSE(queue.TryPost([&ran] { ran = true; }));
  EXPECT_EQ(queue.size(), 2);
  release.set_value();
  queue.Close();
  EXPECT_FALSE(ran);
}

TEST(TaskQueueTest, AClosedQueueRefuses) {
  TaskQueue queue(1, 2);
  queue.Close();
  EXPECT_FALSE(queue.TryPost([] {}));
}

}  // namespace
}  // namespace slice
