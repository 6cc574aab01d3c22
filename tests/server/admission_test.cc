#include "server/admission.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace slice {
namespace {

const absl::Duration kLong = absl::Hours(1);

RequestedWork Items(size_t items,
                    RequestClass request_class = RequestClass::kInteractive) {
  return {request_class, items, items, 10 * items};
}

TEST(AdmissionTest, TakesAllItemsOrNone) {
  Admission admission({.max_items = 10});
  EXPECT_EQ(admission.TryAdmit(Items(7), kLong), AdmissionResult::kAdmitted);
  EXPECT_EQ(admission.TryAdmit(Items(4), kLong), AdmissionResult::kItemsFull);
  EXPECT_EQ(admission.items(), 7);
  EXPECT_EQ(admission.bytes(), 70);
  EXPECT_EQ(admission.TryAdmit(Items(3), kLong), AdmissionResult::kAdmitted);
  EXPECT_EQ(admission.TryAdmit(Items(1), kLong), AdmissionResult::kItemsFull);
}

TEST(AdmissionTest, BoundsTheBytes) {
  Admission admission({.max_items = 100, .max_bytes = 50});
  EXPECT_EQ(admission.TryAdmit(Items(4), kLong), AdmissionResult::kAdmitted);
  EXPECT_EQ(admission.TryAdmit(Items(2), kLong), AdmissionResult::kBytesFull);
  admission.Release(Items(4));
  EXPECT_EQ(admission.bytes(), 0);
  EXPECT_EQ(admission.TryAdmit(Items(2), kLong), AdmissionResult::kAdmitted);
}

TEST(AdmissionTest, ReleasedItemsMakeRoom) {
  Admission admission({.max_items = 10});
  ASSERT_EQ(admission.TryAdmit(Items(10), kLong), AdmissionResult::kAdmitted);
  admission.Release(Items(4));
  EXPECT_EQ(admission.items(), 6);
  EXPECT_EQ(admission.TryAdmit(Items(4), kLong), AdmissionResult::kAdmitted);
}

TEST(AdmissionTest, DrainingRefusesEverything) {
  Admission admission({.max_items = 10});
  ASSERT_EQ(admission.TryAdmit(Items(1), kLong), AdmissionResult::kAdmitted);
  admission.StartDraining();
  EXPECT_EQ(admission.TryAdmit(Items(1), kLong), AdmissionResult::kDraining);
  EXPECT_EQ(admission.items(), 1);
}

TEST(AdmissionTest, PredictsTheWaitFromTheSlowestStage) {
  Admission admission({.max_items = 1000});
  const auto wait = [&](RequestClass request_class) {
    return absl::ToDoubleSeconds(admission.PredictedWait(request_class));
  };
  EXPECT_EQ(wait(RequestClass::kBulk), 0);
  // 1 ms an item on 2 context workers, 4 ms an item on one executor.
  admission.ReportCost(WorkStage::kContext, 10, 2, absl::Milliseconds(10));
  admission.ReportCost(WorkStage::kModel, 10, 1, absl::Milliseconds(40));
  EXPECT_EQ(wait(RequestClass::kBulk), 0);
  ASSERT_EQ(admission.TryAdmit(Items(50), kLong), AdmissionResult::kAdmitted);
  EXPECT_NEAR(wait(RequestClass::kBulk), 0.2, 1e-9);
  EXPECT_NEAR(wait(RequestClass::kInteractive), 0.2, 1e-9);
  // Interactive work waits for a ninth of its own in bulk work at most.
  ASSERT_EQ(admission.TryAdmit(Items(400, RequestClass::kBulk), kLong),
            AdmissionResult::kAdmitted);
  EXPECT_NEAR(wait(RequestClass::kBulk), 1.8, 1e-9);
  EXPECT_NEAR(wait(RequestClass::kInteractive), 0.2 / 0.9, 1e-9);
}

TEST(AdmissionTest, RefusesWhatWouldBeLate) {
  Admission admission({.max_items = 1000});
  admission.ReportCost(WorkStage::kModel, 1, 1, absl::Milliseconds(10));
  ASSERT_EQ(admission.TryAdmit(Items(50), kLong), AdmissionResult::kAdmitted);
  EXPECT_EQ(admission.TryAdmit(Items(1), absl::Milliseconds(500)),
            AdmissionResult::kTooLate);
  EXPECT_EQ(admission.TryAdmit(Items(1), absl::Milliseconds(520)),
            AdmissionResult::kAdmitted);
}

// Else one slow moment would close the server for good.
TEST(AdmissionTest, AnEmptyServerTakesWhateverItsCostWas) {
  Admission admission({.max_items = 1000});
  admission.ReportCost(WorkStage::kModel, 1, 1, absl::Minutes(1));
  EXPECT_EQ(admission.TryAdmit(Items(1), absl::Milliseconds(1)),
            AdmissionResult::kAdmitted);
  EXPECT_EQ(admission.TryAdmit(Items(1), absl::Milliseconds(1)),
            AdmissionResult::kTooLate);
}

TEST(AdmissionTest, TheCostFollowsWhatWasMeasuredLast) {
  Admission admission({.max_items = 1000});
  ASSERT_EQ(admission.TryAdmit(Items(1), kLong), AdmissionResult::kAdmitted);
  admission.ReportCost(WorkStage::kModel, 1, 1, absl::Seconds(1));
  for (int i = 0; i < 1000; ++i) {
    admission.ReportCost(WorkStage::kModel, 1, 1, absl::Milliseconds(1));
  }
  EXPECT_LT(admission.PredictedWait(RequestClass::kBulk),
            absl::Milliseconds(2));
}

TEST(AdmissionTest, TheBoundHoldsAcrossThreads) {
  Admission admission({.max_items = 100});
  std::atomic<size_t> admitted{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) {
        if (admission.TryAdmit(Items(3), kLong) == AdmissionResult::kAdmitted) {
          admitted += 3;
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(admitted, 99);
  EXPECT_EQ(admission.items(), 99);
}

}  // namespace
}  // namespace slice
