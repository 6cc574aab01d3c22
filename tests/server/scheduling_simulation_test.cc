// Simulates the scheduler: random clients, a context stage and a model stage
// with random costs, for a thousand seeds. There is no thread and no real
// clock, so a seed that fails will fail again.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <queue>
#include <vector>

#include "common/random.h"
#include "server/scheduling/admission.h"
#include "server/scheduling/batch_queue.h"
#include "tests/server/fake_work.h"

namespace slice {
namespace {

const absl::Time kStart = absl::FromUnixSeconds(1'000'000'000);
constexpr int kSeeds = 1000;
constexpr size_t kMaxItems = 300;

// A request and the fates of its items.
struct Request {
  RequestedWork work;
  ServiceOrder order;
  absl::Duration workload_time;
  std::deque<FakeItem> items;
};

enum class Fate { kWaiting, kScored, kDropped };

class Simulation {
 public:
  explicit Simulation(uint64_t seed)
      : random_(seed),
        admission_({.max_items = kMaxItems, .max_bytes = 100'000}),
        contexts_({.max_batch_cost = 8, .max_bulk_batch_cost = 4}),
        model_({.max_batch_cost = 16, .max_bulk_batch_cost = 6}),
        context_cost_(absl::Microseconds(20 + random_.Below(80))),
        model_cost_(absl::Microseconds(10 + random_.Below(60))) {
    // The lanes of a device, or those of cores.
    if (random_.Below(2) == 0) {
      context_workers_ = model_workers_ = {{WorkLane::kAll}};
    } else {
      context_workers_ =
          model_workers_ = {{WorkLane::kInteractive}, {WorkLane::kBulk}};
    }
  }

  // Requests arrive over a few hundred milliseconds, with up to three times the
  // work that the server can do.
  void Run() {
    const absl::Duration mean_gap =
        (context_cost_ + model_cost_) * (1.0 + 20 * random_.Uniform());
    const int requests = 60;
    absl::Time next_arrival = now_;
    for (int made = 0; made < requests || busy();) {
      const bool arrives = made < requests;
      absl::Time next = arrives ? next_arrival : kNever;
      for (const auto* workers : {&context_workers_, &model_workers_}) {
        for (const Worker& worker : *workers) {
          next = std::min(next, worker.free);
        }
      }
      now_ = std::max(now_, next);
      if (arrives && next_arrival <= now_) {
        Arrive();
        ++made;
        next_arrival += mean_gap * (2 * random_.Uniform());
      }
      for (Worker& worker : context_workers_) {
        if (worker.free <= now_) EndContexts(worker);
      }
      for (Worker& worker : model_workers_) {
        if (worker.free <= now_) EndModel(worker);
      }
      for (Worker& worker : context_workers_) {
        if (worker.free == kNever) StartContexts(worker);
      }
      for (Worker& worker : model_workers_) {
        if (worker.free == kNever) StartModel(worker);
      }
      if (random_.Below(20) == 0) CancelOne();
    }
  }

  void CheckEnd() const {
    for (const auto& [item, fate] : fates_) {
      EXPECT_NE(fate, Fate::kWaiting) << item->id;
    }
    EXPECT_EQ(admission_.items(), 0);
    EXPECT_EQ(admission_.bytes(), 0);
  }

 private:
  static constexpr absl::Time kNever = absl::InfiniteFuture();

  // A thread, which takes the work of its lane.
  struct Worker {
    WorkLane lane;
    std::vector<WorkItem*> items = {};
    absl::Time free = kNever;
  };

  bool busy() const {
    const auto is_busy = [](const Worker& worker) {
      return worker.free != kNever;
    };
    return !contexts_.empty() || !model_.empty() ||
           std::ranges::any_of(context_workers_, is_busy) ||
           std::ranges::any_of(model_workers_, is_busy);
  }

  void Arrive() {
    Request& request = requests_.emplace_back();
    request.order.key = {&models_[random_.Below(2)], random_.Below(4) == 0};
    request.order.request_class = random_.Below(4) == 0
                                      ? RequestClass::kBulk
                                      : RequestClass::kInteractive;
    request.order.client = ClientId(random_.Below(4));
    request.order.deadline = now_ + absl::Milliseconds(1 + random_.Below(60));
    request.order.cost = random_.Below(5) == 0 ? 7 : 1;
    const size_t items = 1 + random_.Below(40);
    request.work = {request.order.request_class, items,
                    items * request.order.cost, items * 100};
    const auto result = admission_.TryAdmit(
        request.work, request.order.deadline - now_, &request.workload_time);
    ASSERT_LE(admission_.items(), kMaxItems);
    if (result != AdmissionResult::kAdmitted) {
      ASSERT_NE(result, AdmissionResult::kDraining);
      return;
    }
    for (size_t i = 0; i < items; ++i) {
      FakeItem& item = request.items.emplace_back(
          static_cast<int>(fates_.size()), request.order);
      fates_[&item] = Fate::kWaiting;
      owner_[&item] = &request;
      contexts_.Push(&item, now_);
    }
    left_[&request] = items;
    admitted_[&request] = now_;
  }

  void CancelOne() {
    if (requests_.empty()) return;
    Request& request = requests_[random_.Below(requests_.size())];
    for (FakeItem& item : request.items) item.is_cancelled = true;
  }

  void End(WorkItem* item, Fate fate) {
    const auto* fake = static_cast<FakeItem*>(item);
    ASSERT_EQ(fates_[fake], Fate::kWaiting) << "answered twice";
    fates_[fake] = fate;
    const Request* request = owner_[fake];
    if (--left_[request] > 0) return;
    admission_.ReportWait(request->order.request_class, request->workload_time,
                          now_ - admitted_[request]);
    admission_.Release(request->work);
  }

  // The rules for every batch.
  void Check(const WorkBatch& batch, size_t max_cost) {
    ASSERT_FALSE(batch.empty());
    size_t cost = 0;
    for (const WorkItem* item : batch.items) {
      const ServiceOrder order = item->order();
      EXPECT_EQ(order.key, batch.items.front()->order().key);
      EXPECT_GT(order.deadline, now_);
      EXPECT_LT(cost, max_cost) << "the batch was full already";
      cost += order.cost;
    }
    for (const WorkItem* item : batch.dropped) {
      EXPECT_TRUE(item->order().deadline <= now_ || item->cancelled());
    }
    for (size_t i = 1; i < batch.items.size(); ++i) {
      const ServiceOrder a = batch.items[i - 1]->order();
      const ServiceOrder b = batch.items[i]->order();
      if (a.client == b.client && a.request_class == b.request_class) {
        EXPECT_LE(a.deadline, b.deadline);
      }
    }
  }

  std::vector<WorkItem*> TakeFrom(BatchQueue& queue, WorkLane lane,
                                  size_t max_cost) {
    const WorkBatch batch = queue.Take(now_, lane);
    Check(batch, max_cost);
    for (const WorkItem* item : batch.items) {
      EXPECT_TRUE(lane != WorkLane::kBulk ||
                  item->order().request_class == RequestClass::kBulk);
    }
    for (WorkItem* item : batch.dropped) End(item, Fate::kDropped);
    return batch.items;
  }

  void StartContexts(Worker& worker) {
    if (contexts_.empty(worker.lane)) return;
    worker.items = TakeFrom(contexts_, worker.lane, 8);
    if (worker.items.empty()) return;
    worker.free =
        now_ + context_cost_ * static_cast<double>(worker.items.size());
  }
  void EndContexts(Worker& worker) {
    worker.free = kNever;
    admission_.ReportCost(
        WorkStage::kContext, worker.items.front()->order().request_class,
        worker.items.size(), 1,
        context_cost_ * static_cast<double>(worker.items.size()));
    for (WorkItem* item : worker.items) model_.Push(item, now_);
    worker.items.clear();
  }
  void StartModel(Worker& worker) {
    if (model_.empty(worker.lane)) return;
    worker.items = TakeFrom(model_, worker.lane, 16);
    if (worker.items.empty()) return;
    size_t cost = 0;
    for (const WorkItem* item : worker.items) cost += item->order().cost;
    worker.free = now_ + model_cost_ * static_cast<double>(cost);
  }
  void EndModel(Worker& worker) {
    worker.free = kNever;
    for (WorkItem* item : worker.items) End(item, Fate::kScored);
    worker.items.clear();
  }

  Random random_;
  const int models_[2] = {};
  Admission admission_;
  BatchQueue contexts_, model_;
  const absl::Duration context_cost_, model_cost_;
  absl::Time now_ = kStart;
  std::vector<Worker> context_workers_, model_workers_;
  std::deque<Request> requests_;
  std::map<const FakeItem*, Fate> fates_;
  std::map<const FakeItem*, Request*> owner_;
  std::map<const Request*, size_t> left_;
  std::map<const Request*, absl::Time> admitted_;
};

TEST(SchedulingSimulationTest, EveryItemIsAnsweredOnceInOrderWithinBounds) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Simulation simulation(seed);
    simulation.Run();
    simulation.CheckEnd();
    if (HasFailure()) return;
  }
}

// For clients of one class that always have work waiting: over any period, the
// costs that they were served differ by two turns at most.
TEST(SchedulingSimulationTest, BackloggedClientsGetTheSame) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const BatchQueueOptions options = {.max_batch_cost = 1 + random.Below(20)};
    BatchQueue queue(options);
    constexpr size_t kClients = 3, kHeaviest = 9;
    std::deque<FakeItem> items;
    std::vector<size_t> waiting(kClients), got(kClients);
    for (int step = 0; step < 60; ++step) {
      for (size_t client = 0; client < kClients; ++client) {
        while (waiting[client] < 30) {
          ServiceOrder order;
          order.client = ClientId(client);
          order.cost = 1 + random.Below(kHeaviest);
          order.deadline = kStart + absl::Seconds(1 + random.Below(100));
          items.emplace_back(static_cast<int>(items.size()), order);
          queue.Push(&items.back(), kStart);
          ++waiting[client];
        }
      }
      for (const WorkItem* item : queue.Take(kStart).items) {
        --waiting[item->order().client.host];
        got[item->order().client.host] += item->order().cost;
      }
    }
    const auto [least, most] = std::minmax_element(got.begin(), got.end());
    ASSERT_LE(*most - *least, 2 * options.quantum + 2 * kHeaviest);
  }
}

}  // namespace
}  // namespace slice
