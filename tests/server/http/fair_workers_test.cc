#include "server/http/fair_workers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace slice {
namespace {

using ::testing::ElementsAre;

// One thread, which is held up until all work has been asked for.
class FairWorkersTest : public ::testing::Test {
 protected:
  FairWorkersTest() {
    pool_.Run("gate", 1, [this] { open_.get_future().wait(); });
  }

  // Writes down the host when the work is done.
  void Ask(const std::string& host, size_t cost) {
    pool_.Run(host, cost, [this, host] { done_.push_back(host); });
  }

  const std::vector<std::string>& Finish() {
    open_.set_value();
    workers_.reset();
    return done_;
  }

  std::promise<void> open_;
  std::vector<std::string> done_;  // written by the thread alone
  std::unique_ptr<FairWorkers> workers_ = std::make_unique<FairWorkers>(1);
  FairWorkers& pool_ = *workers_;  // also while it ends
};

TEST_F(FairWorkersTest, AHostDoesNotWaitForAllTheWorkOfAnother) {
  for (int i = 0; i < 3; ++i) Ask("busy", 4 << 20);
  Ask("quiet", 1000);
  EXPECT_THAT(Finish(), ElementsAre("busy", "quiet", "busy", "busy"));
}

TEST_F(FairWorkersTest, HostsShareByCostNotByRequests) {
  for (int i = 0; i < 2; ++i) Ask("large", 3000);
  for (int i = 0; i < 6; ++i) Ask("small", 1000);
  EXPECT_THAT(Finish(), ElementsAre("large", "small", "small", "small", "large",
                                    "small", "small", "small"));
}

TEST_F(FairWorkersTest, TheWorkOfAHostKeepsItsOrder) {
  std::vector<int> order;
  for (int i = 0; i < 5; ++i) {
    pool_.Run("host", 10 - i, [&order, i] { order.push_back(i); });
  }
  Finish();
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(FairWorkersTest, AHostThatWasAwayHasNoClaimToTheTimeItMissed) {
  for (int i = 0; i < 4; ++i) Ask("busy", 1000);
  pool_.Run("busy", 1000, [this] {
    for (int i = 0; i < 3; ++i) {
      Ask("busy", 1000);
      Ask("new", 1000);
    }
  });
  const std::vector<std::string>& done = Finish();
  // Of the work that came together, neither host has two in a row but one.
  int turns = 0;
  for (size_t i = 5; i < done.size(); ++i) turns += done[i] != done[i - 1];
  EXPECT_EQ(done.size(), 10u);
  EXPECT_GE(turns, 4);
}

// A host that asks anew whenever its work begins has no more of the thread than
// one that asked for everything at once.
TEST_F(FairWorkersTest, AskingOneByOneIsNoAdvantage) {
  for (int i = 0; i < 8; ++i) Ask("queue", 1000);
  std::function<void(int)> again = [&](int left) {
    pool_.Run("one by one", 1000, [&, left] {
      done_.push_back("one by one");
      if (left > 1) again(left - 1);
    });
  };
  again(4);
  open_.set_value();
  while (true) {  // until the last of the queue is done
    std::promise<size_t> so_far;
    pool_.Run("gate", 1, [&] { so_far.set_value(done_.size()); });
    if (so_far.get_future().get() == 12) break;
  }
  workers_.reset();
  for (size_t i = 1; i < 8; ++i) EXPECT_NE(done_[i], done_[i - 1]) << i;
}

TEST(FairWorkers, DoesAllWorkBeforeItEnds) {
  std::atomic<int> done = 0;
  {
    FairWorkers workers(3);
    for (int i = 0; i < 1000; ++i) {
      workers.Run("host-" + std::to_string(i % 7), i, [&done] { ++done; });
    }
  }
  EXPECT_EQ(done, 1000);
}

}  // namespace
}  // namespace slice
