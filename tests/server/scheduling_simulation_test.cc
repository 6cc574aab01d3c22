// The scheduler in simulated time: random clients, a context stage and a model
// with made-up costs, a thousand seeds. No thread, no real clock: a seed that
// fails fails again.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <queue>
#include <vector>

#include "common/random.h"
#include "server/admission.h"
#include "server/fair_queue.h"
#include "tests/server/fake_work.h"

namespace slice {
namespace {

const absl::Time kStart = absl::FromUnixSeconds(1'000'000'000);
constexpr int kSeeds = 1000;
constexpr size_t kMaxItems = 300;

// A request and what became of its items.
struct Request {
  RequestedWork work;
  ServiceOrder order;
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
        model_cost_(absl::Microseconds(10 + random_.Below(60))) {}

  // Requests of a few hundred milliseconds, at up to three times what the
  // server can do.
  void Run() {
    const absl::Duration mean_gap =
        (context_cost_ + model_cost_) * (1.0 + 20 * random_.Uniform());
    const int requests = 60;
    absl::Time next_arrival = now_;
    for (int made = 0; made < requests || busy();) {
      const bool arrives = made < requests;
      const absl::Time next = std::min(
          {arrives ? next_arrival : kNever, context_free_, model_free_});
      now_ = std::max(now_, next);
      if (arrives && next_arrival <= now_) {
        Arrive();
        ++made;
        next_arrival += mean_gap * (2 * random_.Uniform());
      }
      if (context_free_ <= now_) EndContexts();
      if (model_free_ <= now_) EndModel();
      if (context_free_ == kNever) StartContexts();
      if (model_free_ == kNever) StartModel();
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

  bool busy() const {
    return context_free_ != kNever || model_free_ != kNever ||
           !contexts_.empty() || !model_.empty();
  }

  void Arrive() {
    Request& request = requests_.emplace_back();
    request.order.key = {&models_[random_.Below(2)], random_.Below(4) == 0};
    request.order.request_class = random_.Below(4) == 0
                                      ? RequestClass::kBulk
                                      : RequestClass::kInteractive;
    request.order.client = random_.Below(4);
    request.order.deadline = now_ + absl::Milliseconds(1 + random_.Below(60));
    request.order.cost = random_.Below(5) == 0 ? 7 : 1;
    const size_t items = 1 + random_.Below(40);
    request.work = {request.order.request_class, items,
                    items * request.order.cost, items * 100};
    const auto result =
        admission_.TryAdmit(request.work, request.order.deadline - now_);
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
    if (--left_[owner_[fake]] == 0) admission_.Release(owner_[fake]->work);
  }

  // What holds of every batch.
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

  WorkBatch TakeFrom(FairQueue& queue, size_t max_cost) {
    WorkBatch batch = queue.Take(now_);
    Check(batch, max_cost);
    for (WorkItem* item : batch.dropped) End(item, Fate::kDropped);
    return batch;
  }

  void StartContexts() {
    if (contexts_.empty()) return;
    in_context_ = TakeFrom(contexts_, 8).items;
    if (in_context_.empty()) return;
    context_free_ =
        now_ + context_cost_ * static_cast<double>(in_context_.size());
  }
  void EndContexts() {
    context_free_ = kNever;
    admission_.ReportCost(
        WorkStage::kContext, in_context_.size(), 1,
        context_cost_ * static_cast<double>(in_context_.size()));
    for (WorkItem* item : in_context_) model_.Push(item, now_);
    in_context_.clear();
  }
  void StartModel() {
    if (model_.empty()) return;
    on_model_ = TakeFrom(model_, 16).items;
    if (on_model_.empty()) return;
    size_t cost = 0;
    for (const WorkItem* item : on_model_) cost += item->order().cost;
    model_free_ = now_ + model_cost_ * static_cast<double>(cost);
  }
  void EndModel() {
    model_free_ = kNever;
    for (WorkItem* item : on_model_) End(item, Fate::kScored);
    on_model_.clear();
  }

  Random random_;
  const int models_[2] = {};
  Admission admission_;
  FairQueue contexts_, model_;
  const absl::Duration context_cost_, model_cost_;
  absl::Time now_ = kStart;
  absl::Time context_free_ = kNever, model_free_ = kNever;
  std::vector<WorkItem*> in_context_, on_model_;
  std::deque<Request> requests_;
  std::map<const FakeItem*, Fate> fates_;
  std::map<const FakeItem*, Request*> owner_;
  std::map<const Request*, size_t> left_;
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

// Clients of one class that always have something waiting: over any stretch of
// time what they got differs by two turns at most.
TEST(SchedulingSimulationTest, BackloggedClientsGetTheSame) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const FairQueueOptions options = {.max_batch_cost = 1 + random.Below(20)};
    FairQueue queue(options);
    constexpr size_t kClients = 3, kHeaviest = 9;
    std::deque<FakeItem> items;
    std::vector<size_t> waiting(kClients), got(kClients);
    for (int step = 0; step < 60; ++step) {
      for (size_t client = 0; client < kClients; ++client) {
        while (waiting[client] < 30) {
          ServiceOrder order;
          order.client = client;
          order.cost = 1 + random.Below(kHeaviest);
          order.deadline = kStart + absl::Seconds(1 + random.Below(100));
          items.emplace_back(static_cast<int>(items.size()), order);
          queue.Push(&items.back(), kStart);
          ++waiting[client];
        }
      }
      for (const WorkItem* item : queue.Take(kStart).items) {
        --waiting[item->order().client];
        got[item->order().client] += item->order().cost;
      }
    }
    const auto [least, most] = std::minmax_element(got.begin(), got.end());
    ASSERT_LE(*most - *least, 2 * options.quantum + 2 * kHeaviest);
  }
}

}  // namespace
}  // namespace slice
