#include "server/scheduling/batch_scheduler.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <thread>
#include <vector>

#include "common/random.h"
#include "tests/server/fake_work.h"
#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

class BatchSchedulerTest : public ::testing::Test {
 protected:
  absl::Status Add(BatchScheduler& scheduler, int id,
                   absl::Duration deadline = absl::Seconds(1)) {
    WorkItem* item = &items_.emplace_back(
        id, ServiceOrder{.deadline = clock_.Now() + deadline});
    return scheduler.Schedule({&item, 1});
  }
  static std::vector<int> TakeIds(BatchScheduler& scheduler) {
    WorkBatch batch;
    EXPECT_TRUE(scheduler.Take(WorkLane::kAll, &batch));
    return Ids(batch.items);
  }

  FakeClock clock_;
  std::deque<FakeItem> items_;
};

TEST_F(BatchSchedulerTest, TakesOneItemWithoutWaitingForMore) {
  BatchScheduler scheduler({}, &clock_);
  ASSERT_TRUE(Add(scheduler, 7).ok());
  EXPECT_EQ(TakeIds(scheduler), (std::vector<int>{7}));
  EXPECT_EQ(scheduler.queue_items(), 0);
}

TEST_F(BatchSchedulerTest, CloseRefusesNewItemsAndHandsOutTheOldOnes) {
  BatchScheduler scheduler({}, &clock_);
  ASSERT_TRUE(Add(scheduler, 0).ok());
  scheduler.Close();
  EXPECT_EQ(Add(scheduler, 1).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(TakeIds(scheduler), (std::vector<int>{0}));
  WorkBatch batch;
  EXPECT_FALSE(scheduler.Take(WorkLane::kAll, &batch));
}

TEST_F(BatchSchedulerTest, ABulkLaneThatWaitsIsWokenByTheLastInteractiveItem) {
  for (const bool close : {false, true}) {
    BatchScheduler scheduler({.bulk_lane_waits = true}, &clock_);
    FakeItem items[2] = {
        {0, {.request_class = RequestClass::kInteractive}},
        {1, {.request_class = RequestClass::kBulk}},
    };
    WorkItem* const both[2] = {&items[0], &items[1]};
    ASSERT_TRUE(scheduler.Schedule(both).ok());
    EXPECT_TRUE(scheduler.has_work(WorkLane::kInteractive));
    EXPECT_FALSE(scheduler.has_work(WorkLane::kBulk));
    if (close) scheduler.Close();
    std::vector<int> taken;
    std::thread bulk([&] {
      WorkBatch batch;
      if (scheduler.Take(WorkLane::kBulk, &batch)) taken = Ids(batch.items);
    });
    WorkBatch batch;
    EXPECT_TRUE(scheduler.Take(WorkLane::kInteractive, &batch));
    EXPECT_EQ(Ids(batch.items), (std::vector<int>{0}));
    bulk.join();
    EXPECT_EQ(taken, (std::vector<int>{1}));
  }
}

TEST_F(BatchSchedulerTest, WakesTheLaneThatHasWork) {
  BatchScheduler scheduler({}, &clock_);
  std::vector<int> taken;
  std::thread bulk([&] {
    for (WorkBatch batch; scheduler.Take(WorkLane::kBulk, &batch);) {
      for (int id : Ids(batch.items)) taken.push_back(id);
    }
  });
  FakeItem items[2] = {
      {0, {.request_class = RequestClass::kInteractive}},
      {1, {.request_class = RequestClass::kBulk}},
  };
  for (FakeItem& item : items) {
    WorkItem* const one = &item;
    ASSERT_TRUE(scheduler.Schedule({&one, 1}).ok());
  }
  scheduler.Close();
  bulk.join();  // although interactive work still waits
  EXPECT_EQ(taken, (std::vector<int>{1}));
  EXPECT_EQ(scheduler.queue_items(), 1);
}

TEST_F(BatchSchedulerTest, CloseWakesAWaitingTaker) {
  BatchScheduler scheduler({}, &clock_);
  bool ended = false;
  std::thread taker([&] {
    WorkBatch batch;
    ended = !scheduler.Take(WorkLane::kAll, &batch);
  });
  scheduler.Close();
  taker.join();
  EXPECT_TRUE(ended);
}

TEST_F(BatchSchedulerTest, TellsWhatWaits) {
  BatchScheduler scheduler({}, &clock_);
  ASSERT_TRUE(Add(scheduler, 0, absl::Seconds(20)).ok());
  clock_.Advance(absl::Seconds(3));
  FakeItem bulk(1, {.request_class = RequestClass::kBulk, .cost = 5});
  WorkItem* item = &bulk;
  ASSERT_TRUE(scheduler.Schedule({&item, 1}).ok());
  const QueueState state = scheduler.State();
  EXPECT_EQ(state.classes[0].items, 1);
  EXPECT_EQ(state.classes[1].cost, 5);
  EXPECT_EQ(state.classes[1].clients, 1);
  EXPECT_EQ(state.oldest_age, absl::Seconds(3));
  EXPECT_FALSE(state.closed);
}

// How a taker got an item.
struct Seen {
  std::atomic<int> run{0}, dropped{0};
};

// With several producers and takers, random keys and deadlines, and a clock
// that jumps, every accepted item comes out exactly once, in batches of one key
// that keep the bound.
class BatchSchedulerPropertyTest : public ::testing::TestWithParam<int> {};

TEST_P(BatchSchedulerPropertyTest, EveryItemComesOutExactlyOnce) {
  constexpr int kProducers = 3, kTakers = 3, kItemsEach = 400;
  constexpr size_t kMaxBatch = 8;
  const int models[2] = {};
  FakeClock clock;
  BatchScheduler scheduler({.max_batch_cost = kMaxBatch}, &clock);
  std::vector<Seen> seen(kProducers * kItemsEach);
  std::vector<FakeItem> items(seen.size());
  std::atomic<int> violations{0};

  std::vector<std::thread> takers;
  for (int i = 0; i < kTakers; ++i) {
    takers.emplace_back([&] {
      for (WorkBatch batch; scheduler.Take(WorkLane::kAll, &batch);) {
        if (batch.items.size() > kMaxBatch || batch.empty()) ++violations;
        for (const WorkItem* item : batch.items) {
          if (item->order().key != batch.items.front()->order().key) {
            ++violations;
          }
          ++seen[IdOf(item)].run;
        }
        for (const WorkItem* item : batch.dropped) {
          const bool late = item->order().deadline <= clock.Now();
          if (!late && !item->cancelled()) ++violations;
          ++seen[IdOf(item)].dropped;
        }
      }
    });
  }
  std::vector<std::thread> producers;
  for (int p = 0; p < kProducers; ++p) {
    producers.emplace_back([&, p] {
      Random random(GetParam() * 100 + p);
      for (int i = 0; i < kItemsEach; ++i) {
        FakeItem& item = items[p * kItemsEach + i];
        item.id = p * kItemsEach + i;
        item.its_order.key = {&models[random.Below(2)], random.Below(2) == 0};
        item.its_order.client = ClientId(random.Below(3));
        item.its_order.request_class =
            static_cast<RequestClass>(random.Below(2));
        item.its_order.deadline =
            clock.Now() + absl::Milliseconds(random.Below(50));
        item.is_cancelled = random.Below(10) == 0;
        WorkItem* scheduled = &item;
        ASSERT_TRUE(scheduler.Schedule({&scheduled, 1}).ok());
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

INSTANTIATE_TEST_SUITE_P(Seeds, BatchSchedulerPropertyTest,
                         ::testing::Range(1, 6));

}  // namespace
}  // namespace slice
