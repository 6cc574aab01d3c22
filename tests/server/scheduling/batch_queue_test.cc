#include "server/scheduling/batch_queue.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <vector>

#include "tests/server/fake_work.h"

namespace slice {
namespace {

const absl::Time kNow = absl::FromUnixSeconds(1'000'000'000);

class BatchQueueTest : public ::testing::Test {
 protected:
  FakeItem& Add(int id, ServiceOrder order) {
    if (order.deadline == absl::InfiniteFuture()) {
      order.deadline = kNow + absl::Hours(1);
    }
    items_.emplace_back(id, order);
    queue_.Push(&items_.back(), kNow);
    return items_.back();
  }
  static ServiceOrder Due(int seconds, BatchKey key = {}) {
    return {.key = key, .deadline = kNow + absl::Seconds(seconds)};
  }
  static ServiceOrder OfClient(uint64_t client, size_t cost = 1) {
    return {.client = ClientId(client), .cost = cost};
  }
  static ServiceOrder OfClass(RequestClass request_class) {
    return {.request_class = request_class};
  }
  std::vector<int> TakeIds(absl::Time now = kNow) {
    return Ids(queue_.Take(now).items);
  }

  BatchQueueOptions options_ = {.max_batch_cost = 3, .max_bulk_batch_cost = 2};
  BatchQueue queue_{options_};
  std::deque<FakeItem> items_;
};

using Numbers = std::vector<int>;

TEST_F(BatchQueueTest, TakesAllThatIsThereUpToTheMaximum) {
  for (int id = 0; id < 5; ++id) Add(id, {});
  EXPECT_EQ(TakeIds(), (Numbers{0, 1, 2}));
  EXPECT_EQ(TakeIds(), (Numbers{3, 4}));
  EXPECT_TRUE(queue_.empty());
  EXPECT_TRUE(queue_.Take(kNow).empty());
}

TEST_F(BatchQueueTest, ALaneTakesItsClassAlone) {
  Add(0, OfClass(RequestClass::kBulk));
  Add(1, OfClass(RequestClass::kInteractive));
  Add(2, OfClass(RequestClass::kBulk));
  Add(3, OfClass(RequestClass::kBulk));
  const auto take = [&](WorkLane lane) {
    return Ids(queue_.Take(kNow, lane).items);
  };
  EXPECT_EQ(take(WorkLane::kBulk), (Numbers{0, 2})) << "of small batches";
  EXPECT_EQ(take(WorkLane::kInteractive), (Numbers{1}));
  EXPECT_TRUE(queue_.empty(WorkLane::kInteractive));
  EXPECT_FALSE(queue_.empty(WorkLane::kBulk));
  EXPECT_TRUE(queue_.Take(kNow, WorkLane::kInteractive).empty());
  EXPECT_EQ(take(WorkLane::kBulk), (Numbers{3}));
  EXPECT_TRUE(queue_.empty());
}

// Bulk work gets its tenth even if its own threads never get a core.
TEST_F(BatchQueueTest, TheInteractiveLaneGivesBulkWorkItsShare) {
  constexpr int kItems = 300;
  for (int id = 0; id < kItems; ++id) {
    Add(id, OfClass(RequestClass::kInteractive));
    Add(kItems + id, OfClass(RequestClass::kBulk));
  }
  size_t interactive = 0, bulk = 0;
  while (!queue_.empty(WorkLane::kInteractive)) {
    for (const int id : Ids(queue_.Take(kNow, WorkLane::kInteractive).items)) {
      ++(id < kItems ? interactive : bulk);
    }
  }
  EXPECT_EQ(interactive, kItems);
  EXPECT_NEAR(static_cast<double>(bulk),
              kItems * options_.bulk_share / (1 - options_.bulk_share), 2);
  EXPECT_TRUE(queue_.Take(kNow, WorkLane::kInteractive).empty())
      << "the rest is for the bulk lane";
}

// Bulk work gets its tenth however the operating system schedules the threads.
TEST_F(BatchQueueTest, ABulkLaneThatWaitsTakesItsShareAndWhatIsLeft) {
  options_.bulk_lane_waits = true;
  BatchQueue queue(options_);
  constexpr int kItems = 900;
  for (int id = 0; id < 2 * kItems; ++id) {
    const RequestClass request_class =
        id < kItems ? RequestClass::kInteractive : RequestClass::kBulk;
    queue.Push(&items_.emplace_back(id, OfClass(request_class)), kNow);
  }
  EXPECT_FALSE(queue.HasTurn(WorkLane::kBulk));
  EXPECT_TRUE(queue.Take(kNow, WorkLane::kBulk).empty());
  size_t interactive = 0, bulk = 0;
  const auto take = [&](WorkLane lane) {
    for (const int id : Ids(queue.Take(kNow, lane).items)) {
      ++(id < kItems ? interactive : bulk);
    }
  };
  while (!queue.empty(WorkLane::kInteractive)) {
    for (int i = 0; i < 5; ++i) take(WorkLane::kBulk);
    take(WorkLane::kInteractive);
  }
  EXPECT_EQ(interactive, kItems);
  EXPECT_NEAR(static_cast<double>(bulk),
              kItems * options_.bulk_share / (1 - options_.bulk_share), 2);
  EXPECT_TRUE(queue.HasTurn(WorkLane::kBulk));
  while (queue.HasTurn(WorkLane::kBulk)) take(WorkLane::kBulk);
  EXPECT_EQ(bulk, kItems);
}

TEST_F(BatchQueueTest, EarliestDeadlineComesFirst) {
  Add(0, Due(9));
  Add(1, Due(3));
  Add(2, Due(6));
  EXPECT_EQ(TakeIds(), (Numbers{1, 2, 0}));
}

TEST_F(BatchQueueTest, ABatchHoldsOneKeyOnly) {
  const int models[2] = {};
  const BatchKey a{&models[0], false}, b{&models[1], false},
      a_explained{&models[0], true};
  Add(0, Due(2, a));
  Add(1, Due(1, b));
  Add(2, Due(4, a));
  Add(3, Due(3, a_explained));
  EXPECT_EQ(TakeIds(), (Numbers{1}));
  EXPECT_EQ(TakeIds(), (Numbers{0, 2}));
  EXPECT_EQ(TakeIds(), (Numbers{3}));
}

TEST_F(BatchQueueTest, LateAndCancelledItemsAreDroppedNotRun) {
  Add(0, Due(1));
  Add(1, Due(5));
  Add(2, Due(5)).is_cancelled = true;
  Add(3, {.request_class = RequestClass::kBulk,
          .deadline = kNow + absl::Seconds(1)});
  const WorkBatch batch = queue_.Take(kNow + absl::Seconds(1));
  EXPECT_EQ(Ids(batch.items), (Numbers{1}));
  EXPECT_EQ(Ids(batch.dropped), (Numbers{0, 3, 2}));
  EXPECT_TRUE(queue_.empty());
}

TEST_F(BatchQueueTest, OnlyLateItemsMakeABatchWithoutItems) {
  Add(0, Due(1));
  const WorkBatch batch = queue_.Take(kNow + absl::Seconds(2));
  EXPECT_TRUE(batch.items.empty());
  EXPECT_EQ(Ids(batch.dropped), (Numbers{0}));
}

TEST_F(BatchQueueTest, AHeavyItemFillsABatchOfItsOwn) {
  Add(0, OfClient(1, 50));
  Add(1, OfClient(1, 1));
  EXPECT_EQ(TakeIds(), (Numbers{0}));
  EXPECT_EQ(TakeIds(), (Numbers{1}));
}

TEST_F(BatchQueueTest, BulkWorkComesAfterInteractiveWorkInSmallBatches) {
  for (int id = 0; id < 3; ++id) Add(id, OfClass(RequestClass::kBulk));
  Add(3, OfClass(RequestClass::kInteractive));
  EXPECT_EQ(TakeIds(), (Numbers{3, 0, 1}));
  EXPECT_EQ(TakeIds(), (Numbers{2}));
  for (int id = 4; id < 9; ++id) Add(id, OfClass(RequestClass::kBulk));
  EXPECT_EQ(TakeIds(), (Numbers{4, 5}));
}

// While both classes wait, one link in ten is bulk work.
TEST_F(BatchQueueTest, BulkWorkGetsItsFloor) {
  for (int id = 0; id < 2000; ++id) {
    Add(id, OfClass(id % 2 == 0 ? RequestClass::kInteractive
                                : RequestClass::kBulk));
  }
  int bulk = 0, all = 0;
  while (!queue_.of(RequestClass::kInteractive).empty()) {
    for (const int id : TakeIds()) {
      ++all;
      bulk += id % 2;
    }
  }
  EXPECT_NEAR(static_cast<double>(bulk) / all, 0.1, 0.005);
}

// One client floods the queue and others send one item each. Each of these
// waits for at most one turn of every other client.
TEST_F(BatchQueueTest, AFloodDoesNotHoldUpOthers) {
  for (int id = 0; id < 1000; ++id) Add(id, OfClient(1));
  for (int client = 2; client < 6; ++client)
    Add(1000 + client, OfClient(client));
  std::vector<int> order;
  while (order.size() < 30) {
    for (const int id : TakeIds()) order.push_back(id);
  }
  for (int client = 2; client < 6; ++client) {
    const auto at = std::find(order.begin(), order.end(), 1000 + client);
    ASSERT_NE(at, order.end());
    EXPECT_LE(at - order.begin(),
              static_cast<ptrdiff_t>(options_.quantum) + client);
  }
}

TEST_F(BatchQueueTest, ClientsShareByCostNotByItems) {
  for (int id = 0; id < 600; ++id) {
    Add(id, OfClient(1, 6));
    Add(10000 + id, OfClient(2, 1));
  }
  std::map<bool, int> cost;
  for (int i = 0; i < 100; ++i) {
    for (const int id : TakeIds()) cost[id >= 10000] += id >= 10000 ? 1 : 6;
  }
  EXPECT_NEAR(cost[false], cost[true], 16);
}

TEST_F(BatchQueueTest, OldestAgeIsThatOfTheFirstArrival) {
  EXPECT_EQ(queue_.OldestAge(kNow), absl::ZeroDuration());
  Add(0, Due(20));
  Add(1, Due(1));
  EXPECT_EQ(queue_.OldestAge(kNow + absl::Seconds(3)), absl::Seconds(3));
}

}  // namespace
}  // namespace slice
