#include "server/batch_scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "common/random.h"
#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

struct FakeTask final : BatchTask {
  FakeTask(int id, BatchKey task_key, absl::Time task_deadline)
      : id(id), task_key(task_key), task_deadline(task_deadline) {}

  BatchKey key() const override { return task_key; }
  absl::Time deadline() const override { return task_deadline; }
  bool cancelled() const override { return is_cancelled; }

  const int id;
  const BatchKey task_key;
  const absl::Time task_deadline;
  std::atomic<bool> is_cancelled{false};
};

int IdOf(const std::unique_ptr<BatchTask>& task) {
  return static_cast<const FakeTask&>(*task).id;
}

std::vector<int> Ids(const std::vector<std::unique_ptr<BatchTask>>& tasks) {
  std::vector<int> ids;
  for (const auto& task : tasks) ids.push_back(IdOf(task));
  return ids;
}

class BatchSchedulerTest : public ::testing::Test {
 protected:
  // Schedules a task and returns what became of it.
  absl::Status Add(BatchScheduler& scheduler, int id, absl::Duration deadline,
                   BatchKey key = {}, FakeTask** added = nullptr) {
    auto task = std::make_unique<FakeTask>(id, key, clock_.Now() + deadline);
    if (added != nullptr) *added = task.get();
    std::unique_ptr<BatchTask> owned = std::move(task);
    return scheduler.Schedule(&owned);
  }

  FakeClock clock_;
};

TEST_F(BatchSchedulerTest, TakesAllThatIsThereUpToTheMaximum) {
  BatchScheduler scheduler({.max_batch_size = 3}, &clock_);
  for (int id = 0; id < 5; ++id) {
    ASSERT_TRUE(Add(scheduler, id, absl::Seconds(1)).ok());
  }
  EXPECT_EQ(Ids(scheduler.Take()->tasks), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(Ids(scheduler.Take()->tasks), (std::vector<int>{3, 4}));
  EXPECT_EQ(scheduler.queue_items(), 0);
}

TEST_F(BatchSchedulerTest, TakesOneTaskWithoutWaitingForMore) {
  BatchScheduler scheduler({.max_batch_size = 64}, &clock_);
  ASSERT_TRUE(Add(scheduler, 7, absl::Seconds(1)).ok());
  EXPECT_EQ(Ids(scheduler.Take()->tasks), (std::vector<int>{7}));
}

TEST_F(BatchSchedulerTest, EarliestDeadlineComesFirst) {
  BatchScheduler scheduler({.max_batch_size = 2}, &clock_);
  ASSERT_TRUE(Add(scheduler, 0, absl::Seconds(9)).ok());
  ASSERT_TRUE(Add(scheduler, 1, absl::Seconds(3)).ok());
  ASSERT_TRUE(Add(scheduler, 2, absl::Seconds(6)).ok());
  EXPECT_EQ(Ids(scheduler.Take()->tasks), (std::vector<int>{1, 2}));
  EXPECT_EQ(Ids(scheduler.Take()->tasks), (std::vector<int>{0}));
}

TEST_F(BatchSchedulerTest, ABatchHoldsOneKeyOnly) {
  const int models[2] = {};
  const BatchKey a{&models[0], false}, b{&models[1], false},
      a_explained{&models[0], true};
  BatchScheduler scheduler({}, &clock_);
  ASSERT_TRUE(Add(scheduler, 0, absl::Seconds(2), a).ok());
  ASSERT_TRUE(Add(scheduler, 1, absl::Seconds(1), b).ok());
  ASSERT_TRUE(Add(scheduler, 2, absl::Seconds(4), a).ok());
  ASSERT_TRUE(Add(scheduler, 3, absl::Seconds(3), a_explained).ok());
  EXPECT_EQ(Ids(scheduler.Take()->tasks), (std::vector<int>{1}));
  EXPECT_EQ(Ids(scheduler.Take()->tasks), (std::vector<int>{0, 2}));
  EXPECT_EQ(Ids(scheduler.Take()->tasks), (std::vector<int>{3}));
}

TEST_F(BatchSchedulerTest, LateTasksAreDroppedNotRun) {
  BatchScheduler scheduler({}, &clock_);
  ASSERT_TRUE(Add(scheduler, 0, absl::Seconds(1)).ok());
  ASSERT_TRUE(Add(scheduler, 1, absl::Seconds(5)).ok());
  clock_.Advance(absl::Seconds(1));  // exactly at the first deadline
  const auto batch = scheduler.Take();
  EXPECT_EQ(Ids(batch->tasks), (std::vector<int>{1}));
  EXPECT_EQ(Ids(batch->dropped), (std::vector<int>{0}));
}

TEST_F(BatchSchedulerTest, OnlyLateTasksMakeABatchWithoutTasks) {
  BatchScheduler scheduler({}, &clock_);
  ASSERT_TRUE(Add(scheduler, 0, absl::Seconds(1)).ok());
  clock_.Advance(absl::Seconds(2));
  const auto batch = scheduler.Take();
  EXPECT_TRUE(batch->tasks.empty());
  EXPECT_EQ(Ids(batch->dropped), (std::vector<int>{0}));
}

TEST_F(BatchSchedulerTest, CancelledTasksAreDropped) {
  BatchScheduler scheduler({}, &clock_);
  FakeTask* first = nullptr;
  ASSERT_TRUE(Add(scheduler, 0, absl::Seconds(1), {}, &first).ok());
  ASSERT_TRUE(Add(scheduler, 1, absl::Seconds(1)).ok());
  first->is_cancelled = true;
  const auto batch = scheduler.Take();
  EXPECT_EQ(Ids(batch->tasks), (std::vector<int>{1}));
  EXPECT_EQ(Ids(batch->dropped), (std::vector<int>{0}));
}

TEST_F(BatchSchedulerTest, AFullQueueRefusesAndLeavesTheTaskToTheCaller) {
  BatchScheduler scheduler({.max_queue_items = 2}, &clock_);
  ASSERT_TRUE(Add(scheduler, 0, absl::Seconds(1)).ok());
  ASSERT_TRUE(Add(scheduler, 1, absl::Seconds(1)).ok());
  std::unique_ptr<BatchTask> third = std::make_unique<FakeTask>(
      2, BatchKey{}, clock_.Now() + absl::Seconds(1));
  EXPECT_EQ(scheduler.Schedule(&third).code(),
            absl::StatusCode::kResourceExhausted);
  ASSERT_NE(third, nullptr);
  scheduler.Take();
  EXPECT_TRUE(scheduler.Schedule(&third).ok());
  EXPECT_EQ(third, nullptr);
}

TEST_F(BatchSchedulerTest, CloseRefusesNewTasksAndHandsOutTheOldOnes) {
  BatchScheduler scheduler({}, &clock_);
  ASSERT_TRUE(Add(scheduler, 0, absl::Seconds(1)).ok());
  scheduler.Close();
  EXPECT_EQ(Add(scheduler, 1, absl::Seconds(1)).code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(Ids(scheduler.Take()->tasks), (std::vector<int>{0}));
  EXPECT_FALSE(scheduler.Take().has_value());
}

TEST_F(BatchSchedulerTest, CloseWakesAWaitingTaker) {
  BatchScheduler scheduler({}, &clock_);
  bool ended = false;
  std::thread taker([&] { ended = !scheduler.Take().has_value(); });
  scheduler.Close();
  taker.join();
  EXPECT_TRUE(ended);
}

TEST_F(BatchSchedulerTest, OldestAgeIsThatOfTheFirstArrival) {
  BatchScheduler scheduler({}, &clock_);
  EXPECT_EQ(scheduler.OldestAge(), absl::ZeroDuration());
  ASSERT_TRUE(Add(scheduler, 0, absl::Seconds(20)).ok());
  clock_.Advance(absl::Seconds(3));
  ASSERT_TRUE(Add(scheduler, 1, absl::Seconds(1)).ok());
  EXPECT_EQ(scheduler.OldestAge(), absl::Seconds(3));
}

// What a taker saw of one task.
struct Seen {
  std::atomic<int> run{0}, dropped{0};
};

// Several producers and takers, random keys and deadlines, a clock that jumps:
// every accepted task comes out exactly once, never late, in batches of one key
// within the bound.
class BatchSchedulerPropertyTest : public ::testing::TestWithParam<int> {};

TEST_P(BatchSchedulerPropertyTest, EveryTaskComesOutExactlyOnce) {
  constexpr int kProducers = 3, kTakers = 3, kTasksEach = 400;
  constexpr size_t kMaxBatch = 8, kMaxQueue = 64;
  const int models[2] = {};
  FakeClock clock;
  BatchScheduler scheduler(
      {.max_batch_size = kMaxBatch, .max_queue_items = kMaxQueue}, &clock);
  std::vector<Seen> seen(kProducers * kTasksEach);
  std::atomic<int> violations{0};

  std::vector<std::thread> takers;
  for (int i = 0; i < kTakers; ++i) {
    takers.emplace_back([&] {
      while (auto batch = scheduler.Take()) {
        if (batch->tasks.size() > kMaxBatch) ++violations;
        if (batch->tasks.empty() && batch->dropped.empty()) ++violations;
        for (const auto& task : batch->tasks) {
          if (task->key() != batch->tasks.front()->key()) ++violations;
          ++seen[IdOf(task)].run;
        }
        for (const auto& task : batch->dropped) {
          const bool late = task->deadline() <= clock.Now();
          if (!late && !task->cancelled()) ++violations;
          ++seen[IdOf(task)].dropped;
        }
      }
    });
  }
  std::vector<std::thread> producers;
  for (int p = 0; p < kProducers; ++p) {
    producers.emplace_back([&, p] {
      Random random(GetParam() * 100 + p);
      for (int i = 0; i < kTasksEach; ++i) {
        const BatchKey key{&models[random.Below(2)], random.Below(2) == 0};
        auto made = std::make_unique<FakeTask>(
            p * kTasksEach + i, key,
            clock.Now() + absl::Milliseconds(random.Below(50)));
        made->is_cancelled = random.Below(10) == 0;
        std::unique_ptr<BatchTask> task = std::move(made);
        while (!scheduler.Schedule(&task).ok()) std::this_thread::yield();
        if (random.Below(4) == 0) {
          clock.Advance(absl::Milliseconds(random.Below(5)));
        }
      }
    });
  }
  for (auto& thread : producers) thread.join();
  scheduler.Close();
  for (auto& thread : takers) thread.join();

  EXPECT_EQ(violations, 0);
  for (const Seen& one : seen) EXPECT_EQ(one.run + one.dropped, 1);
  EXPECT_EQ(scheduler.queue_items(), 0);
}

// One taker and a clock that stands still while a batch is formed: nothing late
// or cancelled is ever among the tasks, and earlier deadlines are never left
// behind for later ones of the same key.
TEST_P(BatchSchedulerPropertyTest, NothingLateIsRun) {
  FakeClock clock;
  BatchScheduler scheduler({.max_batch_size = 5, .max_queue_items = 1000},
                           &clock);
  const int models[2] = {};
  Random random(GetParam());
  std::multimap<const void*, absl::Time> waiting;
  for (int step = 0; step < 2000; ++step) {
    if (random.Below(3) > 0) {
      const BatchKey key{&models[random.Below(2)], false};
      const absl::Time deadline =
          clock.Now() + absl::Milliseconds(random.Below(40));
      std::unique_ptr<BatchTask> task =
          std::make_unique<FakeTask>(step, key, deadline);
      ASSERT_TRUE(scheduler.Schedule(&task).ok());
      waiting.emplace(key.model, deadline);
    } else if (scheduler.queue_items() > 0) {
      const auto batch = scheduler.Take();
      std::vector<std::unique_ptr<BatchTask>> const* parts[] = {
          &batch->tasks, &batch->dropped};
      for (const auto* part : parts) {
        for (const auto& task : *part) {
          auto [begin, end] = waiting.equal_range(task->key().model);
          const auto found = std::find_if(begin, end, [&](const auto& entry) {
            return entry.second == task->deadline();
          });
          ASSERT_NE(found, end);
          waiting.erase(found);
        }
      }
      for (const auto& task : batch->tasks) {
        ASSERT_GT(task->deadline(), clock.Now());
        for (auto [it, end] = waiting.equal_range(task->key().model); it != end;
             ++it) {
          ASSERT_GE(it->second, task->deadline());
        }
      }
      for (const auto& task : batch->dropped) {
        ASSERT_LE(task->deadline(), clock.Now());
      }
    }
    clock.Advance(absl::Milliseconds(random.Below(8)));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, BatchSchedulerPropertyTest,
                         ::testing::Range(1, 6));

}  // namespace
}  // namespace slice
