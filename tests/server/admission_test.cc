#include "server/admission.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace slice {
namespace {

TEST(AdmissionTest, TakesAllItemsOrNone) {
  Admission admission(10);
  EXPECT_EQ(admission.TryAdmit(7), AdmissionResult::kAdmitted);
  EXPECT_EQ(admission.TryAdmit(4), AdmissionResult::kQueueFull);
  EXPECT_EQ(admission.items(), 7);
  EXPECT_EQ(admission.TryAdmit(3), AdmissionResult::kAdmitted);
  EXPECT_EQ(admission.TryAdmit(1), AdmissionResult::kQueueFull);
}

TEST(AdmissionTest, ReleasedItemsMakeRoom) {
  Admission admission(10);
  ASSERT_EQ(admission.TryAdmit(10), AdmissionResult::kAdmitted);
  admission.Release(4);
  EXPECT_EQ(admission.items(), 6);
  EXPECT_EQ(admission.TryAdmit(4), AdmissionResult::kAdmitted);
}

TEST(AdmissionTest, DrainingRefusesEverything) {
  Admission admission(10);
  ASSERT_EQ(admission.TryAdmit(1), AdmissionResult::kAdmitted);
  admission.StartDraining();
  EXPECT_EQ(admission.TryAdmit(1), AdmissionResult::kDraining);
  EXPECT_EQ(admission.items(), 1);
}

TEST(AdmissionTest, PredictsTheWaitFromTheSlowestStage) {
  Admission admission(1000);
  EXPECT_EQ(admission.PredictedWait(), absl::ZeroDuration());
  // 1 ms an item on 2 context workers, 4 ms an item on one executor.
  admission.ReportCost(WorkStage::kContext, 10, 2, absl::Milliseconds(10));
  admission.ReportCost(WorkStage::kModel, 10, 1, absl::Milliseconds(40));
  EXPECT_EQ(admission.PredictedWait(), absl::ZeroDuration());
  ASSERT_EQ(admission.TryAdmit(50), AdmissionResult::kAdmitted);
  EXPECT_NEAR(absl::ToDoubleSeconds(admission.PredictedWait()), 0.2, 1e-9);
}

TEST(AdmissionTest, TheCostFollowsWhatWasMeasuredLast) {
  Admission admission(1000);
  ASSERT_EQ(admission.TryAdmit(1), AdmissionResult::kAdmitted);
  admission.ReportCost(WorkStage::kModel, 1, 1, absl::Seconds(1));
  for (int i = 0; i < 1000; ++i) {
    admission.ReportCost(WorkStage::kModel, 1, 1, absl::Milliseconds(1));
  }
  EXPECT_LT(admission.PredictedWait(), absl::Milliseconds(2));
}

TEST(AdmissionTest, TheBoundHoldsAcrossThreads) {
  Admission admission(100);
  std::atomic<size_t> admitted{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        if (admission.TryAdmit(3) == AdmissionResult::kAdmitted) admitted += 3;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(admitted, 99);
  EXPECT_EQ(admission.items(), 99);
}

}  // namespace
}  // namespace slice
