#include "server/scheduling/admission.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "common/random.h"

namespace slice {
namespace {

const absl::Duration kLong = absl::Hours(1);

RequestedWork Items(size_t items,
                    RequestClass request_class = RequestClass::kInteractive) {
  return {request_class, items, items, 10 * items};
}

RequestedWork ItemsOf(uint64_t client, size_t items) {
  RequestedWork work = Items(items);
  work.client = ClientId(client);
  return work;
}

TEST(AdmissionTest, TakesAllItemsOrNone) {
  Admission admission({.max_items = 10});
  EXPECT_EQ(admission.TryAdmit(Items(7), kLong), AdmissionResult::kAdmitted);
  EXPECT_EQ(admission.TryAdmit(Items(4), kLong), AdmissionResult::kItemsFull);
  EXPECT_EQ(admission.items(), 7);
  EXPECT_EQ(admission.bytes(), 70);
  EXPECT_EQ(admission.TryAdmit(ItemsOf(1, 3), kLong),
            AdmissionResult::kAdmitted);
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

TEST(AdmissionTest, CheckSaysWhatTryAdmitWouldAndTakesNothing) {
  Admission admission({.max_items = 100, .max_bytes = 1500});
  admission.ReportCost(WorkStage::kModel, RequestClass::kInteractive, 1, 1,
                       absl::Milliseconds(1));
  Random random(7);
  std::vector<RequestedWork> inside;
  for (int i = 0; i < 2000; ++i) {
    const RequestedWork work = ItemsOf(random.Below(3), 1 + random.Below(30));
    const absl::Duration budget = absl::Milliseconds(random.Below(200));
    const size_t items = admission.items();
    const AdmissionResult foretold = admission.Check(work, budget);
    EXPECT_EQ(admission.items(), items);
    ASSERT_EQ(admission.TryAdmit(work, budget), foretold) << i;
    if (foretold == AdmissionResult::kAdmitted) inside.push_back(work);
    if (!inside.empty() && random.Below(3) == 0) {
      admission.Release(inside.back());
      inside.pop_back();
    }
  }
}

TEST(AdmissionTest, ReleasedItemsMakeRoom) {
  Admission admission({.max_items = 10});
  ASSERT_EQ(admission.TryAdmit(Items(10), kLong), AdmissionResult::kAdmitted);
  admission.Release(Items(4));
  EXPECT_EQ(admission.items(), 6);
  EXPECT_EQ(admission.TryAdmit(ItemsOf(1, 4), kLong),
            AdmissionResult::kAdmitted);
}

TEST(AdmissionTest, LowerLimitsKeepWhatIsInside) {
  Admission admission({.max_items = 10});
  ASSERT_EQ(admission.TryAdmit(Items(10), kLong), AdmissionResult::kAdmitted);
  admission.SetLimits(4, 1000);
  EXPECT_EQ(admission.items(), 10);
  EXPECT_EQ(admission.TryAdmit(ItemsOf(1, 1), kLong),
            AdmissionResult::kItemsFull);
  admission.Release(Items(8));
  EXPECT_EQ(admission.TryAdmit(ItemsOf(1, 1), kLong),
            AdmissionResult::kAdmitted);
  EXPECT_EQ(admission.options().max_items, 4);
}

// A host leaves as much room to other hosts as it has, and a client leaves as
// much room to other clients of its host. So a client that is alone gets a
// third.
TEST(AdmissionTest, OneClientGetsAThirdOfTheServer) {
  Admission admission({.max_items = 100, .max_bytes = 10'000});
  size_t admitted = 0;
  while (admission.TryAdmit(ItemsOf(1, 1), kLong) ==
         AdmissionResult::kAdmitted) {
    ++admitted;
  }
  EXPECT_EQ(admitted, 34);
  EXPECT_EQ(admission.TryAdmit(ItemsOf(1, 1), kLong),
            AdmissionResult::kClientFull);
  EXPECT_EQ(admission.TryAdmit(ItemsOf(2, 50), kLong),
            AdmissionResult::kAdmitted)
      << "a client with nothing inside may use all free room";
  admission.Release(ItemsOf(2, 50));
  admission.Release(ItemsOf(1, 1));
  EXPECT_EQ(admission.TryAdmit(ItemsOf(1, 1), kLong),
            AdmissionResult::kAdmitted);
}

// A client that does not read its answers.
TEST(AdmissionTest, AnswersThatWaitAreCountedAgainstTheirClient) {
  Admission admission({.max_items = 100, .max_bytes = 1000});
  const RequestedWork answer = {.bytes = 600, .client = ClientId(1)};
  admission.HoldAnswer(answer);
  EXPECT_EQ(admission.bytes(), 600);
  EXPECT_EQ(admission.TryAdmit(ItemsOf(1, 1), kLong),
            AdmissionResult::kClientFull);
  EXPECT_EQ(admission.TryAdmit(ItemsOf(2, 1), kLong),
            AdmissionResult::kAdmitted);
  admission.HoldAnswer(answer);  // more than fits, but its work is done
  EXPECT_EQ(admission.bytes(), 1210);
  EXPECT_EQ(admission.TryAdmit(ItemsOf(3, 1), kLong),
            AdmissionResult::kAdmitted)
      << "other hosts need not wait for it";
  admission.Release(answer);
  admission.Release(answer);
  EXPECT_EQ(admission.TryAdmit(ItemsOf(1, 1), kLong),
            AdmissionResult::kAdmitted);
}

// A host within its half asks for what has answers many times as large, and
// reads none of them.
TEST(AdmissionTest, UnreadAnswersOfOneHostLockNoOtherOut) {
  Admission admission({.max_items = 32768, .max_bytes = 256 << 20});
  const auto job = [](uint64_t host, uint64_t name) {
    RequestedWork work = {.items = 1024, .bytes = 1 << 20};
    work.client = ClientId(host);
    work.client.name = name;
    return work;
  };
  const auto answer = [&](uint64_t name) {
    return RequestedWork{.bytes = 16 << 20, .client = job(1, name).client};
  };
  uint64_t jobs = 0;
  while (admission.TryAdmit(job(1, jobs), kLong) ==
         AdmissionResult::kAdmitted) {
    ++jobs;
  }
  EXPECT_EQ(jobs, 16);
  for (uint64_t name = 0; name < jobs; ++name) {
    admission.HoldAnswer(answer(name));
    admission.Release(job(1, name));
  }
  EXPECT_EQ(admission.bytes(), size_t{256} << 20);
  EXPECT_EQ(admission.TryAdmit(job(1, 99), kLong),
            AdmissionResult::kClientFull);
  // Others share what is free, as if the host had taken its half.
  for (uint64_t host = 2; host < 8; ++host) {
    EXPECT_EQ(admission.TryAdmit(job(host, 0), kLong),
              AdmissionResult::kAdmitted);
    EXPECT_TRUE(
        admission.TryHold({.bytes = 1 << 20, .client = ClientId(host)}));
  }
  for (uint64_t name = 0; name < jobs; ++name) admission.Release(answer(name));
  EXPECT_EQ(admission.bytes(), size_t{12} << 20);
  EXPECT_EQ(admission.TryAdmit(job(1, 0), kLong), AdmissionResult::kAdmitted);
}

// However large the answers of hosts that read none are, and whatever else they
// have inside, a link of one more host fits.
TEST(AdmissionTest, UnreadAnswersAlwaysLeaveRoom) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Admission admission({.max_items = 1000, .max_bytes = 1'000'000});
    std::vector<RequestedWork> inside;
    for (int step = 0; step < 200; ++step) {
      const uint64_t host = 1 + random.Below(4);
      if (random.Below(2) == 0) {
        inside.push_back(
            {.bytes = random.Below(200'000), .client = ClientId(host)});
        admission.HoldAnswer(inside.back());
      } else {
        const RequestedWork work = ItemsOf(host, 1 + random.Below(30));
        if (admission.TryAdmit(work, kLong) == AdmissionResult::kAdmitted)
          inside.push_back(work);
      }
      const RequestedWork other = ItemsOf(9, 1);
      ASSERT_EQ(admission.TryAdmit(other, kLong), AdmissionResult::kAdmitted);
      admission.Release(other);
      while (!inside.empty() && random.Below(3) == 0) {
        const size_t at = random.Below(static_cast<uint32_t>(inside.size()));
        admission.Release(inside[at]);
        inside.erase(inside.begin() + static_cast<ptrdiff_t>(at));
      }
    }
    for (const RequestedWork& work : inside) admission.Release(work);
    EXPECT_EQ(admission.bytes(), 0);
    EXPECT_EQ(admission.items(), 0);
    EXPECT_EQ(admission.TryAdmit({.bytes = 1'000'000}, kLong),
              AdmissionResult::kAdmitted);
  }
}

// Whatever one client requests, a single link of another client fits.
TEST(AdmissionTest, AHostileClientAlwaysLeavesRoom) {
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const size_t largest = 1 + random.Below(60);
    Admission admission({.max_items = largest + 1 + random.Below(100),
                         .max_bytes = 10 * (largest + 1 + random.Below(100))});
    std::vector<RequestedWork> inside;
    for (int step = 0; step < 200; ++step) {
      const RequestedWork work = ItemsOf(1, 1 + random.Below(largest));
      if (admission.TryAdmit(work, kLong) == AdmissionResult::kAdmitted) {
        inside.push_back(work);
      }
      const RequestedWork other = ItemsOf(2, 1);
      ASSERT_EQ(admission.TryAdmit(other, kLong), AdmissionResult::kAdmitted);
      admission.Release(other);
      if (!inside.empty() && random.Below(3) == 0) {
        admission.Release(inside.back());
        inside.pop_back();
      }
    }
  }
}

// The queue serves clients in turns: a client waits for at most as much work of
// another client as it has itself, and for one turn more.
TEST(AdmissionTest, AnotherClientsQueueDoesNotMakeALinkLate) {
  for (const RequestClass request_class :
       {RequestClass::kInteractive, RequestClass::kBulk}) {
    Admission admission({.max_items = 10'000});
    admission.ReportCost(WorkStage::kModel, request_class, 1, 1,
                         absl::Milliseconds(1));
    const auto of = [&](uint64_t client, size_t items) {
      RequestedWork work = Items(items, request_class);
      work.client = ClientId(client);
      return work;
    };
    ASSERT_EQ(admission.TryAdmit(of(1, 1000), kLong),
              AdmissionResult::kAdmitted);
    const size_t quantum = AdmissionOptions().quantum;
    EXPECT_NEAR(absl::ToDoubleMilliseconds(admission.PredictedWait(of(2, 1))),
                static_cast<double>(1 + (1 + quantum)), 1e-6);
    EXPECT_EQ(admission.TryAdmit(of(2, 1), absl::Milliseconds(50)),
              AdmissionResult::kAdmitted);
    EXPECT_EQ(admission.TryAdmit(of(1, 1), absl::Milliseconds(50)),
              AdmissionResult::kTooLate)
        << "it waits for all of its own work";
    EXPECT_NEAR(absl::ToDoubleMilliseconds(admission.PredictedWait(of(1, 1))),
                1002, 1e-6);
  }
}

// Compares with a simulated queue that serves the clients in turns.
TEST(AdmissionTest, TheForeseenWaitIsThatOfTheBatchQueue) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const size_t quantum = AdmissionOptions().quantum;
    Admission admission({.max_items = 100'000});
    admission.ReportCost(WorkStage::kModel, RequestClass::kInteractive, 1, 1,
                         absl::Milliseconds(1));
    std::vector<size_t> inside(1 + random.Below(20));
    for (size_t client = 0; client < inside.size(); ++client) {
      inside[client] = random.Below(300);
      if (inside[client] == 0) continue;
      ASSERT_EQ(admission.TryAdmit(ItemsOf(client, inside[client]), kLong),
                AdmissionResult::kAdmitted);
    }
    const uint64_t asking = random.Below(inside.size());
    const size_t items = 1 + random.Below(100);
    std::vector<size_t> left = inside;
    left[asking] += items;
    // The worst case: all others have their turns first.
    double served = 0;
    while (left[asking] > 0) {
      for (size_t i = 1; i <= left.size(); ++i) {
        size_t& of_client = left[(asking + i) % left.size()];
        const size_t turn = std::min(of_client, quantum);
        of_client -= turn;
        served += static_cast<double>(turn);
      }
    }
    const double foreseen = absl::ToDoubleMilliseconds(
        admission.PredictedWait(ItemsOf(asking, items)));
    EXPECT_GE(foreseen, served - 1e-6);
    EXPECT_LE(foreseen,
              served + static_cast<double>(quantum * inside.size()) + 1e-6);
  }
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
  admission.ReportCost(WorkStage::kContext, RequestClass::kInteractive, 10, 2,
                       absl::Milliseconds(10));
  admission.ReportCost(WorkStage::kModel, RequestClass::kInteractive, 10, 1,
                       absl::Milliseconds(40));
  EXPECT_EQ(wait(RequestClass::kBulk), 0);
  ASSERT_EQ(admission.TryAdmit(Items(50), kLong), AdmissionResult::kAdmitted);
  EXPECT_NEAR(wait(RequestClass::kBulk), 0.2, 1e-9);
  EXPECT_NEAR(wait(RequestClass::kInteractive), 0.2, 1e-9);
  // Interactive work waits for bulk work of at most a ninth of its own cost.
  ASSERT_EQ(admission.TryAdmit(Items(400, RequestClass::kBulk), kLong),
            AdmissionResult::kAdmitted);
  EXPECT_NEAR(wait(RequestClass::kBulk), 1.8, 1e-9);
  EXPECT_NEAR(wait(RequestClass::kInteractive), 0.2 / 0.9, 1e-9);
}

// Bulk work may wait for its core a hundred times longer than it runs.
TEST(AdmissionTest, SlowBulkWorkDoesNotMakeInteractiveWorkLate) {
  Admission admission({.max_items = 10'000});
  admission.ReportCost(WorkStage::kModel, RequestClass::kInteractive, 10, 1,
                       absl::Milliseconds(1));
  admission.ReportCost(WorkStage::kModel, RequestClass::kBulk, 10, 1,
                       absl::Milliseconds(100));
  ASSERT_EQ(admission.TryAdmit(Items(1000, RequestClass::kBulk), kLong),
            AdmissionResult::kAdmitted);
  const absl::Duration budget = absl::Milliseconds(100);
  EXPECT_EQ(admission.Check(Items(64), budget), AdmissionResult::kAdmitted);
  EXPECT_EQ(admission.Check(Items(64, RequestClass::kBulk), budget),
            AdmissionResult::kTooLate);
  ASSERT_EQ(admission.TryAdmit(Items(90), kLong), AdmissionResult::kAdmitted);
  EXPECT_NEAR(absl::ToDoubleMilliseconds(
                  admission.PredictedWait(RequestClass::kInteractive)),
              100 * 0.1, 1e-6);
  EXPECT_NEAR(
      absl::ToDoubleMilliseconds(admission.PredictedWait(RequestClass::kBulk)),
      1000 * 10 + 90 * 0.1, 1e-6);
}

TEST(AdmissionTest, AClassThatWasNotSeenCostsWhatTheOtherDoes) {
  Admission admission({.max_items = 1000});
  admission.ReportCost(WorkStage::kModel, RequestClass::kBulk, 1, 1,
                       absl::Milliseconds(1));
  ASSERT_EQ(admission.TryAdmit(Items(90), kLong), AdmissionResult::kAdmitted);
  EXPECT_NEAR(absl::ToDoubleMilliseconds(
                  admission.PredictedWait(RequestClass::kInteractive)),
              90, 1e-6);
}

TEST(AdmissionTest, RefusesWhatWouldBeLate) {
  Admission admission({.max_items = 1000});
  admission.ReportCost(WorkStage::kModel, RequestClass::kInteractive, 1, 1,
                       absl::Milliseconds(10));
  ASSERT_EQ(admission.TryAdmit(Items(50), kLong), AdmissionResult::kAdmitted);
  // 510 ms of work must fit in half of the time.
  EXPECT_EQ(admission.TryAdmit(Items(1), absl::Milliseconds(1000)),
            AdmissionResult::kTooLate);
  EXPECT_EQ(admission.TryAdmit(Items(1), absl::Milliseconds(1040)),
            AdmissionResult::kAdmitted);
}

// A stage may measure 1 ms a link while it has a tenth of a core.
TEST(AdmissionTest, LearnsHowMuchLongerWorkTakesThanItsStages) {
  Admission admission({.max_items = 1000});
  admission.ReportCost(WorkStage::kModel, RequestClass::kInteractive, 1, 1,
                       absl::Milliseconds(1));
  ASSERT_EQ(admission.TryAdmit(Items(49), kLong), AdmissionResult::kAdmitted);
  const auto workload = [&] {
    absl::Duration workload_time;
    // The work is refused, so that nothing of it stays inside.
    EXPECT_EQ(
        admission.TryAdmit(Items(1), absl::ZeroDuration(), &workload_time),
        AdmissionResult::kTooLate);
    return absl::ToDoubleMilliseconds(workload_time);
  };
  const auto wait = [&](RequestClass request_class) {
    return absl::ToDoubleMilliseconds(admission.PredictedWait(request_class));
  };
  EXPECT_NEAR(workload(), 50, 1e-6);
  EXPECT_NEAR(wait(RequestClass::kInteractive), 49, 1e-6);
  for (int i = 0; i < 100; ++i) {
    admission.ReportWait(RequestClass::kInteractive, absl::Milliseconds(10),
                         absl::Milliseconds(40));
  }
  EXPECT_NEAR(workload(), 50, 1e-6);
  EXPECT_NEAR(wait(RequestClass::kInteractive), 4 * 49, 1);
  EXPECT_NEAR(wait(RequestClass::kBulk), 49, 1e-6) << "each class learns alone";
}

// The predicted wait covers all but a few requests: of waits spread evenly from
// one to two workload times, it is nearer to two.
TEST(AdmissionTest, ForeseesTheSlowOnes) {
  Admission admission({.max_items = 1000});
  admission.ReportCost(WorkStage::kModel, RequestClass::kInteractive, 1, 1,
                       absl::Milliseconds(1));
  ASSERT_EQ(admission.TryAdmit(Items(100), kLong), AdmissionResult::kAdmitted);
  for (int i = 0; i < 5000; ++i) {
    admission.ReportWait(RequestClass::kInteractive, absl::Milliseconds(100),
                         absl::Milliseconds(100 + (i * 37) % 101));
  }
  const absl::Duration wait =
      admission.PredictedWait(RequestClass::kInteractive);
  EXPECT_GT(wait, absl::Milliseconds(165));
  EXPECT_LT(wait, absl::Milliseconds(200));
}

// A wait of less than a millisecond says nothing about a long queue, and a bad
// moment is forgotten in time.
TEST(AdmissionTest, ShortWaitsAndOldOnesDoNotCount) {
  Admission admission({.max_items = 1000});
  admission.ReportCost(WorkStage::kModel, RequestClass::kInteractive, 1, 1,
                       absl::Milliseconds(1));
  ASSERT_EQ(admission.TryAdmit(Items(10), kLong), AdmissionResult::kAdmitted);
  const auto wait = [&] {
    return absl::ToDoubleMilliseconds(
        admission.PredictedWait(RequestClass::kInteractive));
  };
  admission.ReportWait(RequestClass::kInteractive, absl::Microseconds(10),
                       absl::Microseconds(500));
  EXPECT_LT(wait(), 10);
  admission.ReportWait(RequestClass::kInteractive, absl::Milliseconds(5),
                       absl::Hours(1));
  EXPECT_GT(wait(), 11);
  EXPECT_LE(wait(), 80) << "bounded";
  for (int i = 0; i < 2000; ++i) {
    admission.ReportWait(RequestClass::kInteractive, absl::Milliseconds(5),
                         absl::Milliseconds(5));
  }
  EXPECT_NEAR(wait(), 10, 0.1);
}

// Otherwise one slow moment would close the server for ever.
TEST(AdmissionTest, AnEmptyServerTakesWhateverItsCostWas) {
  Admission admission({.max_items = 1000});
  admission.ReportCost(WorkStage::kModel, RequestClass::kInteractive, 1, 1,
                       absl::Minutes(1));
  EXPECT_EQ(admission.TryAdmit(Items(1), absl::Milliseconds(1)),
            AdmissionResult::kAdmitted);
  EXPECT_EQ(admission.TryAdmit(Items(1), absl::Milliseconds(1)),
            AdmissionResult::kTooLate);
}

TEST(AdmissionTest, TheCostFollowsWhatWasMeasuredLast) {
  Admission admission({.max_items = 1000});
  ASSERT_EQ(admission.TryAdmit(Items(1), kLong), AdmissionResult::kAdmitted);
  admission.ReportCost(WorkStage::kModel, RequestClass::kInteractive, 1, 1,
                       absl::Seconds(1));
  for (int i = 0; i < 40'000; ++i) {
    admission.ReportCost(WorkStage::kModel, RequestClass::kInteractive, 1, 1,
                         absl::Milliseconds(1));
  }
  EXPECT_LT(admission.PredictedWait(RequestClass::kBulk),
            absl::Milliseconds(2));
}

TEST(AdmissionTest, TheBoundHoldsAcrossThreads) {
  Admission admission({.max_items = 100});
  std::atomic<size_t> admitted{0};
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; i < 200; ++i) {
        if (admission.TryAdmit(ItemsOf(200 * t + i, 3), kLong) ==
            AdmissionResult::kAdmitted) {
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
