// Replays a schedule that a real server recorded under load (slice-server
// --record-schedule; see tests/data/README.md) through the real Admission and
// BatchSchedulers in simulated time:
//   - the requests arrive at the recorded times
//   - each stage has the recorded number of workers
//   - a batch takes its cost times the time per cost that the recording shows
// The tests check the rules for every batch, compare the result with what the
// server did, and repeat the replay to see that it is deterministic.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "common/files.h"
#include "server/scheduling/batch_scheduler.h"
#include "tests/server/fake_work.h"
#include "tests/server/recorded_schedule.h"
#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

constexpr absl::Time kNever = absl::InfiniteFuture();
constexpr int kModels = 8;

const RecordedSchedule& Recorded() {
  static const auto* const schedule = [] {
    const auto text = ReadFile(SLICE_TEST_DATA "/schedule.txt");
    auto parsed = ParseSchedule(text.value_or(""));
    EXPECT_TRUE(parsed.ok()) << parsed.status();
    return new RecordedSchedule(*std::move(parsed));
  }();
  return *schedule;
}

enum class Fate { kWaiting, kScored, kDropped };

// The items of one line are served by deadline, then by arrival.
using Line = std::tuple<RequestClass, ClientId, BatchKey>;
Line LineOf(const ServiceOrder& order) {
  return {order.request_class, order.client, order.key};
}

struct Outcome {
  size_t refused = 0;
  size_t scored = 0;
  size_t dropped = 0;
  std::array<absl::Duration, kRequestClasses> waited;  // for the model, summed
  std::array<size_t, kRequestClasses> scored_of = {};
  std::vector<int> order;  // the items in the order that the model got them

  absl::Duration MeanWait(RequestClass request_class) const {
    const auto i = static_cast<size_t>(request_class);
    return waited[i] / static_cast<double>(std::max<size_t>(1, scored_of[i]));
  }
};

// The seconds that a worker of a stage takes for a cost of 1.
double UnitCost(const RecordedSchedule& schedule, WorkStage stage) {
  std::map<uint64_t, size_t> cost_of;
  for (const RecordedArrival& arrival : schedule.arrivals) {
    if (!arrival.first_item) continue;
    for (uint64_t i = 0; i < arrival.work.items; ++i)
      cost_of[*arrival.first_item + i] = arrival.cost;
  }
  double seconds = 0, cost = 0;
  for (const RecordedBatch& batch : schedule.batches) {
    if (batch.stage != stage || !batch.end || batch.items.empty()) continue;
    seconds += absl::ToDoubleSeconds(*batch.end - batch.start);
    for (const uint64_t item : batch.items)
      cost += static_cast<double>(cost_of.at(item));
  }
  return seconds / std::max(1.0, cost);
}

// One stage: a queue and the workers that take batches from it.
struct SimulatedStage {
  struct Worker {
    WorkLane lane;
    absl::Time free = kNever;  // end of its batch; kNever: idle
    std::vector<WorkItem*> items = {};
    size_t cost = 0;
  };

  SimulatedStage(const BatchQueueOptions& order, int count, const Clock* clock)
      : queue(order, clock), order(order) {
    for (int i = 0; i < count; ++i) {
      for (const WorkLane lane : {WorkLane::kInteractive, WorkLane::kBulk}) {
        workers.push_back({lane});
      }
    }
  }

  absl::Time NextEnd() const {
    absl::Time next = kNever;
    for (const Worker& worker : workers) next = std::min(next, worker.free);
    return next;
  }

  BatchScheduler queue;
  const BatchQueueOptions order;
  std::vector<Worker> workers;
  double unit_cost = 0;
  std::map<Line, std::set<std::pair<absl::Time, int>>> waiting;
};

class Replay {
 public:
  explicit Replay(const RecordedSchedule& schedule)
      : schedule_(schedule),
        admission_(schedule.limits.admission),
        contexts_(schedule.limits.context_order,
                  schedule.limits.context_workers, &clock_),
        model_(schedule.limits.model_order, schedule.limits.executors,
               &clock_) {
    contexts_.unit_cost = UnitCost(schedule, WorkStage::kContext);
    model_.unit_cost = UnitCost(schedule, WorkStage::kModel);
  }

  Outcome Run() {
    size_t next = 0;
    while (true) {
      const absl::Time arrival = next < schedule_.arrivals.size()
                                     ? start_ + schedule_.arrivals[next].time
                                     : kNever;
      const absl::Time now =
          std::min({arrival, contexts_.NextEnd(), model_.NextEnd()});
      if (now == kNever) break;
      clock_.Set(now);
      if (arrival == now) Arrive(schedule_.arrivals[next++]);
      EndBatches(now);
      StartBatches(&contexts_);
      StartBatches(&model_);
    }
    CheckEnd();
    return outcome_;
  }

 private:
  struct Request {
    RequestedWork work;
    std::deque<FakeItem> items;
    size_t left = 0;
  };

  void Arrive(const RecordedArrival& arrival) {
    ServiceOrder order;
    order.key = {&models_[arrival.model % kModels], arrival.explain};
    order.request_class = arrival.work.request_class;
    order.client = ClientId(arrival.client);
    order.deadline = start_ + arrival.deadline;
    order.cost = arrival.cost;
    if (admission_.TryAdmit(arrival.work, order.deadline - clock_.Now()) !=
        AdmissionResult::kAdmitted) {
      outcome_.refused += arrival.work.items;
      return;
    }
    ASSERT_LE(admission_.items(), schedule_.limits.admission.max_items);
    ASSERT_LE(admission_.bytes(), schedule_.limits.admission.max_bytes);
    Request& request = requests_.emplace_back();
    request.work = arrival.work;
    request.left = arrival.work.items;
    std::vector<WorkItem*> items;
    for (size_t i = 0; i < arrival.work.items; ++i) {
      FakeItem& item = request.items.emplace_back(
          static_cast<int>(request_of_.size()), order);
      request_of_.push_back(&request);
      fates_.push_back(Fate::kWaiting);
      arrived_.push_back(clock_.Now());
      items.push_back(&item);
    }
    Queue(&contexts_, items);
  }

  void Queue(SimulatedStage* stage, const std::vector<WorkItem*>& items) {
    ASSERT_TRUE(stage->queue.Schedule(items).ok());
    for (const WorkItem* item : items) {
      const ServiceOrder order = item->order();
      stage->waiting[LineOf(order)].insert({order.deadline, IdOf(item)});
    }
  }

  void StartBatches(SimulatedStage* stage) {
    for (SimulatedStage::Worker& worker : stage->workers) {
      while (worker.free == kNever && stage->queue.has_work(worker.lane)) {
        WorkBatch batch;
        ASSERT_TRUE(stage->queue.Take(worker.lane, &batch));
        Check(*stage, batch);
        for (WorkItem* item : batch.dropped) End(item, Fate::kDropped);
        if (batch.items.empty()) continue;
        worker.items = batch.items;
        worker.cost = 0;
        for (const WorkItem* item : batch.items)
          worker.cost += item->order().cost;
        worker.free = clock_.Now() + absl::Seconds(stage->unit_cost) *
                                         static_cast<double>(worker.cost);
        if (stage == &model_) NoteWaits(batch.items);
      }
    }
  }

  // The rules for every batch, whatever the policy.
  void Check(SimulatedStage& stage, const WorkBatch& batch) {
    ASSERT_FALSE(batch.empty());
    const absl::Time now = clock_.Now();
    size_t cost = 0;
    for (const WorkItem* item : batch.dropped) {
      EXPECT_LE(item->order().deadline, now);
      Leave(stage, item);
    }
    for (const WorkItem* item : batch.items) {
      const ServiceOrder order = item->order();
      EXPECT_EQ(order.key, batch.items.front()->order().key);
      EXPECT_GT(order.deadline, now);
      EXPECT_LT(cost, stage.order.max_batch_cost) << "the batch was full";
      cost += order.cost;
      // No waiting item of its line has an earlier deadline.
      const auto& line = stage.waiting[LineOf(order)];
      ASSERT_FALSE(line.empty());
      EXPECT_EQ(order.deadline, line.begin()->first);
      Leave(stage, item);
    }
  }

  void Leave(SimulatedStage& stage, const WorkItem* item) {
    const ServiceOrder order = item->order();
    ASSERT_EQ(stage.waiting[LineOf(order)].erase({order.deadline, IdOf(item)}),
              1)
        << "handed out twice";
  }

  void NoteWaits(const std::vector<WorkItem*>& items) {
    for (const WorkItem* item : items) {
      const auto i = static_cast<size_t>(item->order().request_class);
      outcome_.waited[i] += clock_.Now() - arrived_[IdOf(item)];
      ++outcome_.scored_of[i];
      outcome_.order.push_back(IdOf(item));
    }
  }

  void EndBatches(absl::Time now) {
    for (SimulatedStage* stage : {&contexts_, &model_}) {
      for (SimulatedStage::Worker& worker : stage->workers) {
        if (worker.free > now) continue;
        worker.free = kNever;
        const bool last = stage == &model_;
        admission_.ReportCost(
            last ? WorkStage::kModel : WorkStage::kContext,
            worker.lane == WorkLane::kBulk ? RequestClass::kBulk
                                           : RequestClass::kInteractive,
            worker.cost, static_cast<int>(stage->workers.size() / 2),
            absl::Seconds(stage->unit_cost) * static_cast<double>(worker.cost));
        const std::vector<WorkItem*> items = std::move(worker.items);
        worker.items.clear();
        if (!last) Queue(&model_, items);
        for (WorkItem* item : items) {
          if (last) End(item, Fate::kScored);
        }
      }
    }
  }

  void End(const WorkItem* item, Fate fate) {
    const int id = IdOf(item);
    ASSERT_EQ(fates_[id], Fate::kWaiting) << "answered twice";
    fates_[id] = fate;
    ++(fate == Fate::kScored ? outcome_.scored : outcome_.dropped);
    if (--request_of_[id]->left == 0) admission_.Release(request_of_[id]->work);
  }

  void CheckEnd() const {
    for (const Fate fate : fates_) ASSERT_NE(fate, Fate::kWaiting);
    EXPECT_EQ(admission_.items(), 0);
    EXPECT_EQ(admission_.bytes(), 0);
  }

  const RecordedSchedule& schedule_;
  const absl::Time start_ = absl::FromUnixSeconds(1'000'000'000);
  FakeClock clock_;
  const int models_[kModels] = {};
  Admission admission_;
  SimulatedStage contexts_, model_;
  std::deque<Request> requests_;
  std::vector<Request*> request_of_;  // by item
  std::vector<Fate> fates_;
  std::vector<absl::Time> arrived_;
  Outcome outcome_;
};

TEST(ScheduleReplayTest, TheRecordingIsOfALoadedServer) {
  const RecordedSchedule& schedule = Recorded();
  size_t refused = 0, bulk = 0, explained = 0;
  std::set<uint64_t> clients;
  for (const RecordedArrival& arrival : schedule.arrivals) {
    refused += arrival.first_item ? 0 : 1;
    bulk += arrival.work.request_class == RequestClass::kBulk;
    explained += arrival.explain;
    clients.insert(arrival.client);
  }
  EXPECT_GT(schedule.arrivals.size(), 500);
  EXPECT_GT(schedule.batches.size(), 500);
  EXPECT_GT(refused, 0);
  EXPECT_GT(bulk, 0);
  EXPECT_GT(explained, 0);
  EXPECT_GT(clients.size(), 2);
}

// Checks the recording itself: every item passed each stage at most once, every
// item that was not dropped passed both, and batches kept their bounds.
TEST(ScheduleReplayTest, TheServerKeptTheRules) {
  const RecordedSchedule& schedule = Recorded();
  std::map<uint64_t, const RecordedArrival*> of_item;
  for (const RecordedArrival& arrival : schedule.arrivals) {
    if (!arrival.first_item) continue;
    for (uint64_t i = 0; i < arrival.work.items; ++i)
      of_item[*arrival.first_item + i] = &arrival;
  }
  std::map<uint64_t, std::array<int, 2>> taken;
  std::set<uint64_t> dropped;
  for (const RecordedBatch& batch : schedule.batches) {
    const bool model = batch.stage == WorkStage::kModel;
    const size_t limit = model ? schedule.limits.model_order.max_batch_cost
                               : schedule.limits.context_order.max_batch_cost;
    size_t cost = 0;
    for (const uint64_t item : batch.items) {
      ASSERT_TRUE(of_item.count(item)) << item;
      const RecordedArrival& arrival = *of_item[item];
      const RecordedArrival& first = *of_item[batch.items.front()];
      EXPECT_EQ(arrival.model, first.model);
      EXPECT_EQ(arrival.explain, first.explain);
      EXPECT_LT(cost, limit);
      cost += arrival.cost;
      ++taken[item][model ? 1 : 0];
      EXPECT_LE(arrival.time, batch.start);
    }
    for (const uint64_t item : batch.dropped)
      EXPECT_TRUE(dropped.insert(item).second) << "dropped twice";
    EXPECT_TRUE(batch.end.has_value());
  }
  for (const auto& [item, arrival] : of_item) {
    EXPECT_LE(taken[item][0], 1);
    EXPECT_LE(taken[item][1], taken[item][0]);
    EXPECT_EQ(taken[item][1] + static_cast<int>(dropped.count(item)), 1)
        << "item " << item;
  }
}

TEST(ScheduleReplayTest, EveryItemIsAnsweredOnceInOrderWithinBounds) {
  const RecordedSchedule& schedule = Recorded();
  size_t items = 0;
  for (const RecordedArrival& arrival : schedule.arrivals)
    items += arrival.work.items;
  const Outcome outcome = Replay(schedule).Run();
  EXPECT_EQ(outcome.scored + outcome.dropped + outcome.refused, items);
  EXPECT_GT(outcome.scored, 0);
  // The class that is served first waits less.
  EXPECT_LT(outcome.MeanWait(RequestClass::kInteractive),
            outcome.MeanWait(RequestClass::kBulk));
}

// The replay scores at least 95 % as many links as the server did: a change
// that sheds more links, or lets more of them expire, fails here.
TEST(ScheduleReplayTest, NoWorseThanTheServerWasThen) {
  const RecordedSchedule& schedule = Recorded();
  std::set<uint64_t> scored;
  for (const RecordedBatch& batch : schedule.batches) {
    if (batch.stage == WorkStage::kModel)
      scored.insert(batch.items.begin(), batch.items.end());
  }
  const Outcome outcome = Replay(schedule).Run();
  EXPECT_GE(outcome.scored, scored.size() * 95 / 100);
}

TEST(ScheduleReplayTest, TwoReplaysAreTheSame) {
  const Outcome first = Replay(Recorded()).Run();
  const Outcome second = Replay(Recorded()).Run();
  EXPECT_EQ(first.order, second.order);
  EXPECT_EQ(first.dropped, second.dropped);
  EXPECT_EQ(first.refused, second.refused);
}

}  // namespace
}  // namespace slice
