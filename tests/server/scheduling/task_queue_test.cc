#include "server/scheduling/task_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <string>
#include <vector>

namespace slice {
namespace {

using ::testing::ElementsAre;

const ClientId kA(1), kB(2);

// A queue whose only thread waits until Release.
class HeldQueue {
 public:
  explicit HeldQueue(TaskQueueOptions options) : queue_(options) {
    EXPECT_TRUE(queue_.TryPost({ClientId(99)}, [this] {
      started_.set_value();
      release_.get_future().wait();
    }));
    started_.get_future().wait();
  }

  bool Post(const TaskOrder& order, const std::string& name) {
    return queue_.TryPost(order, [this, name] { ran_.push_back(name); });
  }

  // Lets the thread run what is queued.
  const std::vector<std::string>& Release() {
    release_.set_value();
    queue_.Close();
    return ran_;
  }

  TaskQueue& queue() { return queue_; }

 private:
  std::promise<void> started_, release_;
  std::vector<std::string> ran_;
  TaskQueue queue_;
};

TEST(TaskQueueTest, RunsTheTasksOfAClientInTheOrderPosted) {
  std::vector<int> order;
  TaskQueue queue({.max_tasks = 200});
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(queue.TryPost({kA}, [&order, i] { order.push_back(i); }));
  }
  queue.Close();
  ASSERT_EQ(order.size(), 100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[i], i);
}

TEST(TaskQueueTest, ClientsTakeTurns) {
  HeldQueue held({.max_tasks = 100});
  for (const char* task : {"a1", "a2", "a3"}) held.Post({kA}, task);
  for (const char* task : {"b1", "b2"}) held.Post({kB}, task);
  EXPECT_THAT(held.Release(), ElementsAre("a1", "b1", "a2", "b2", "a3"));
}

// A host that invents many client names gets no larger share.
TEST(TaskQueueTest, HostsTakeTurnsBeforeTheirClientsDo) {
  HeldQueue held({.max_tasks = 100});
  for (uint64_t name = 1; name <= 4; ++name) {
    held.Post({ClientId(1, name)}, "a" + std::to_string(name));
  }
  held.Post({kB}, "b1");
  held.Post({kB}, "b2");
  EXPECT_THAT(held.Release(), ElementsAre("a1", "b1", "a2", "b2", "a3", "a4"));
}

TEST(TaskQueueTest, WhatCostsMoreTakesMoreTurns) {
  HeldQueue held({.max_tasks = 100, .quantum = 10});
  held.Post({.client = kA, .cost = 30}, "a1");
  held.Post({.client = kA, .cost = 30}, "a2");
  for (const char* task : {"b1", "b2", "b3", "b4"}) {
    held.Post({.client = kB, .cost = 10}, task);
  }
  EXPECT_THAT(held.Release(), ElementsAre("b1", "b2", "a1", "b3", "b4", "a2"));
}

TEST(TaskQueueTest, AnEarlierDeadlineGoesFirst) {
  HeldQueue held({.max_tasks = 100});
  held.Post({kA, absl::UnixEpoch() + absl::Seconds(2)}, "later");
  held.Post({kA, absl::UnixEpoch() + absl::Seconds(1)}, "sooner");
  EXPECT_THAT(held.Release(), ElementsAre("sooner", "later"));
}

// A task that continues lets other tasks have their turns in between.
TEST(TaskQueueTest, WhatContinuesTakesTurnsToo) {
  std::vector<std::string> ran;
  std::promise<void> started, release;
  TaskQueue queue({.max_tasks = 2});
  std::function<void(int)> step = [&](int left) {
    if (left == 3) {
      started.set_value();
      release.get_future().wait();
    }
    ran.push_back("a" + std::to_string(left));
    if (left > 1) queue.Continue({kA}, [&, left] { step(left - 1); });
  };
  ASSERT_TRUE(queue.TryPost({kA}, [&] { step(3); }));
  started.get_future().wait();
  for (const char* task : {"b1", "b2"}) {
    // The second task fills the queue; Continue is not refused.
    queue.Continue({kB}, [&ran, task] { ran.push_back(task); });
  }
  release.set_value();
  queue.Close();
  EXPECT_THAT(ran, ElementsAre("a3", "b1", "a2", "b2", "a1"));
}

TEST(TaskQueueTest, CloseRunsWhatIsQueued) {
  std::atomic<int> count{0};
  TaskQueue queue({.threads = 3, .max_tasks = 1000});
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(queue.TryPost({kA}, [&count] { ++count; }));
  }
  queue.Close();
  EXPECT_EQ(count, 500);
  EXPECT_EQ(queue.size(), 0);
}

TEST(TaskQueueTest, AHostLeavesRoomForOthers) {
  HeldQueue held({.max_tasks = 4});
  EXPECT_TRUE(held.Post({kA}, "a1"));
  EXPECT_TRUE(held.Post({ClientId(1, 7)}, "a2"));
  EXPECT_FALSE(held.Post({kA}, "a3"));
  EXPECT_TRUE(held.Post({kB}, "b1"));
  EXPECT_TRUE(held.Post({ClientId(3)}, "c1"));
  EXPECT_FALSE(held.Post({ClientId(4)}, "d1")) << "full";
  EXPECT_EQ(held.queue().size(), 4);
  EXPECT_EQ(held.Release().size(), 4);
}

TEST(TaskQueueTest, AClosedQueueRefuses) {
  TaskQueue queue({.max_tasks = 2});
  queue.Close();
  EXPECT_FALSE(queue.TryPost({kA}, [] {}));
}

}  // namespace
}  // namespace slice
