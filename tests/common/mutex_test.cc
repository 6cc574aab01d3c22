#include "common/mutex.h"

#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace slice {
namespace {

// A counter and a gate, as a class that the thread-safety analysis can check.
class Gate {
 public:
  void Add(int times) {
    for (int i = 0; i < times; ++i) {
      MutexLock lock(&mutex_);
      ++count_;
    }
  }
  int count() {
    MutexLock lock(&mutex_);
    return count_;
  }
  void Open() {
    MutexLock lock(&mutex_);
    open_ = true;
    opened_.SignalAll();
  }
  void Pass() {
    MutexLock lock(&mutex_);
    while (!open_) opened_.Wait(&mutex_);
    ++count_;
  }
  bool WaitBriefly() {
    MutexLock lock(&mutex_);
    return opened_.WaitFor(&mutex_, absl::Milliseconds(1));
  }

 private:
  Mutex mutex_;
  CondVar opened_;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
  int count_ ABSL_GUARDED_BY(mutex_) = 0;
};

TEST(MutexTest, OneThreadAtATime) {
  Gate gate;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { gate.Add(10'000); });
  }
  EXPECT_EQ(gate.count(), 40'000);
}

TEST(CondVarTest, SignalAllWakesEveryWaiter) {
  Gate gate;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back([&] { gate.Pass(); });
    gate.Open();
  }
  EXPECT_EQ(gate.count(), 3);
}

TEST(CondVarTest, WaitForGivesUp) {
  Gate gate;
  // A spurious wake returns true, but not every wake is spurious.
  while (gate.WaitBriefly()) {
  }
  EXPECT_EQ(gate.count(), 0);
}

}  // namespace
}  // namespace slice
