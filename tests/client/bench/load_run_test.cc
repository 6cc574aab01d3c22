// Loads on a simulated server, in simulated time.
#include "client/bench/load_run.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

const absl::Time kStart = absl::FromUnixSeconds(1'000'000'000);

// Ends every call at the time that the test chooses.
class SimulatedServer final : public CallStarter {
 public:
  using EndTime = std::function<absl::Time(absl::Time sent)>;

  explicit SimulatedServer(EndTime end_time) : end_time_(std::move(end_time)) {}

  void Start(size_t slot) override {
    ++started;
    running_.emplace(end_time_(clock.Now()), slot);
  }

  // Runs the load to its end.
  LoadResult Run(const LoadShape& shape) {
    LoadRun run(shape, &clock, this);
    absl::Time due = run.Send();
    while (due != absl::InfiniteFuture() || !running_.empty()) {
      if (running_.empty() || due < running_.top().first) {
        clock.Set(due + generator_delay);
        if (interrupt_at <= clock.Now()) run.Interrupt();
        due = run.Send();
        continue;
      }
      FinishedCall call;
      clock.Set(std::max(clock.Now(), running_.top().first));
      call.slot = running_.top().second;
      running_.pop();
      if (status_of) call.status = status_of(clock.Now());
      call.links = call.status.ok() ? 3 : 0;
      if (edit) edit(ended++, &call);
      run.Finished(call);
    }
    run.WaitUntilIdle();
    EXPECT_EQ(run.finished(), started);
    return run.TakeResult();
  }

  FakeClock clock{kStart};
  absl::Duration generator_delay;
  absl::Time interrupt_at = absl::InfiniteFuture();
  std::function<absl::Status(absl::Time now)> status_of;
  std::function<void(int64_t number, FinishedCall* call)> edit;
  int64_t started = 0;
  int64_t ended = 0;

 private:
  using Running = std::pair<absl::Time, size_t>;
  const EndTime end_time_;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> running_;
};

// A server whose calls all take the same time.
SimulatedServer::EndTime Takes(absl::Duration time) {
  return [time](absl::Time sent) { return sent + time; };
}

// A server that answers one call after the other, a millisecond each, and none
// from second 2 to second 3.
class StallingServer {
 public:
  absl::Time operator()(absl::Time sent) {
    absl::Time begin = std::max(sent, free_);
    if (begin >= kStart + absl::Seconds(2) && begin < kStart + absl::Seconds(3))
      begin = kStart + absl::Seconds(3);
    free_ = begin + absl::Milliseconds(1);
    return free_;
  }

 private:
  absl::Time free_ = absl::InfinitePast();
};

LoadShape Closed(size_t slots) {
  LoadShape shape;
  shape.slots = slots;
  shape.warmup = absl::Seconds(1);
  shape.duration = absl::Seconds(4);
  return shape;
}

LoadShape Open(double rate, size_t slots) {
  LoadShape shape = Closed(slots);
  shape.rate = rate;
  return shape;
}

std::vector<absl::Time> MeasuredArrivals(const LoadShape& shape) {
  PoissonArrivals arrivals(shape.rate, shape.seed, kStart);
  std::vector<absl::Time> measured;
  for (absl::Time next = arrivals.Next();
       next < kStart + shape.warmup + shape.duration; next = arrivals.Next()) {
    if (next >= kStart + shape.warmup) measured.push_back(next);
  }
  return measured;
}

TEST(LoadRunTest, AClosedLoopIsCountedExactly) {
  SimulatedServer server(Takes(absl::Milliseconds(10)));
  const LoadResult result = server.Run(Closed(4));
  EXPECT_EQ(server.started, 4 * 500);
  EXPECT_EQ(result.sent, 4 * 400);
  EXPECT_EQ(result.answered, 4 * 400);
  EXPECT_EQ(result.links, 3 * 4 * 400);
  EXPECT_EQ(result.unsent, 0);
  EXPECT_EQ(result.measured, absl::Seconds(4));
  EXPECT_DOUBLE_EQ(result.rpcs_per_second, 400);
  EXPECT_DOUBLE_EQ(result.links_per_second, 1200);
  EXPECT_EQ(result.max_outstanding, 4);
  EXPECT_EQ(result.latency.count(), 1600);
  EXPECT_EQ(result.lateness.count(), 0);
  EXPECT_DOUBLE_EQ(result.latency.Quantile(0), 0.01);
  EXPECT_DOUBLE_EQ(result.latency.Max(), 0.01);
  EXPECT_FALSE(result.interrupted);
}

TEST(LoadRunTest, AnOpenLoopSendsEveryArrivalInTime) {
  SimulatedServer server(Takes(absl::Milliseconds(50)));
  const LoadShape shape = Open(200, 1000);
  const LoadResult result = server.Run(shape);
  EXPECT_EQ(result.sent, static_cast<int64_t>(MeasuredArrivals(shape).size()));
  EXPECT_EQ(result.answered, result.sent);
  EXPECT_EQ(result.lateness.count(), result.sent);
  EXPECT_EQ(result.lateness.Max(), 0);
  EXPECT_NEAR(result.latency.Mean(), 0.05, 1e-9);
  // Ten calls are under way on average.
  EXPECT_GT(result.max_outstanding, 10);
  EXPECT_LT(result.max_outstanding, 50);
}

TEST(LoadRunTest, AnOpenLoopShowsAStallToAllWhoWaited) {
  const LoadShape shape = Open(100, 1000);
  SimulatedServer server{StallingServer()};
  const LoadResult result = server.Run(shape);
  // Compares with the simulation of a plain queue.
  StallingServer model;
  PoissonArrivals arrivals(shape.rate, shape.seed, kStart);
  std::vector<double> latencies;
  for (absl::Time due = arrivals.Next(); due < kStart + absl::Seconds(5);
       due = arrivals.Next()) {
    const double latency = absl::ToDoubleSeconds(model(due) - due);
    if (due >= kStart + absl::Seconds(1)) latencies.push_back(latency);
  }
  std::sort(latencies.begin(), latencies.end());
  ASSERT_EQ(result.latency.count(), static_cast<int64_t>(latencies.size()));
  for (const double q : {0.5, 0.8, 0.9, 0.95, 0.99, 0.999}) {
    const auto rank = static_cast<size_t>(
        std::ceil(q * static_cast<double>(latencies.size())));
    EXPECT_NEAR(result.latency.Quantile(q), latencies[rank - 1],
                latencies[rank - 1] * LatencyHistogram::kRelativeError + 1e-9);
  }
  // The server answers nothing for a quarter of the measured time.
  EXPECT_GT(result.latency.Quantile(0.9), 0.5);
  EXPECT_GT(result.latency.Max(), 0.9);
}

TEST(LoadRunTest, AClosedLoopWaitsWithTheServer) {
  SimulatedServer server{StallingServer()};
  const LoadResult result = server.Run(Closed(1));
  EXPECT_LT(result.latency.Quantile(0.999), 0.0011);
  EXPECT_NEAR(result.latency.Max(), 1, 0.01);
}

TEST(LoadRunTest, WhatFindsNoSlotIsNotSentAndCounted) {
  SimulatedServer server(Takes(absl::Minutes(1)));
  LoadShape shape = Open(100, 7);
  shape.warmup = absl::ZeroDuration();
  const LoadResult result = server.Run(shape);
  EXPECT_EQ(result.sent, 7);
  EXPECT_EQ(result.max_outstanding, 7);
  EXPECT_EQ(result.unsent + result.sent,
            static_cast<int64_t>(MeasuredArrivals(shape).size()));
  EXPECT_EQ(result.answered, 7);
  EXPECT_EQ(result.rpcs_per_second, 0) << "answered after the measured time";
}

TEST(LoadRunTest, ALateGeneratorIsSeenInLatenessAndLatency) {
  SimulatedServer server(Takes(absl::Milliseconds(2)));
  server.generator_delay = absl::Milliseconds(30);
  const LoadShape shape = Open(20, 100);
  const LoadResult result = server.Run(shape);
  EXPECT_EQ(result.sent, static_cast<int64_t>(MeasuredArrivals(shape).size()));
  EXPECT_NEAR(result.lateness.Max(), 0.03, 1e-6);
  // The latency of a call includes the time it waited to be sent.
  EXPECT_GE(result.latency.Mean(), result.lateness.Mean() + 0.002 - 1e-6);
}

TEST(LoadRunTest, FailuresAreCountedByCodeAndKeptOutOfTheLatencies) {
  SimulatedServer server(Takes(absl::Milliseconds(10)));
  server.status_of = [](absl::Time now) {
    const int64_t call = (now - kStart) / absl::Milliseconds(10);
    if (call % 4 == 0) return absl::ResourceExhaustedError("full");
    if (call % 4 == 2) return absl::UnavailableError("gone");
    return absl::OkStatus();
  };
  const LoadResult result = server.Run(Closed(1));
  EXPECT_EQ(result.sent, 400);
  EXPECT_EQ(result.answered, 200);
  EXPECT_THAT(result.errors,
              testing::ElementsAre(
                  testing::Pair(absl::StatusCode::kResourceExhausted, 100),
                  testing::Pair(absl::StatusCode::kUnavailable, 100)));
  EXPECT_FALSE(result.first_error.ok());
  EXPECT_EQ(result.latency.count(), 200);
  EXPECT_EQ(result.error_latency.count(), 200);
  EXPECT_EQ(result.rejected_latency.count(), 100);
  EXPECT_DOUBLE_EQ(result.rpcs_per_second, 50);
}

TEST(LoadRunTest, TheServersTimesAndTheClassesAreCounted) {
  SimulatedServer server(Takes(absl::Milliseconds(10)));
  server.edit = [](int64_t number, FinishedCall* call) {
    call->load_class =
        number % 4 == 0 ? LoadClass::kBulk : LoadClass::kInteractive;
    call->server_times = ServerTimes{
        absl::Milliseconds(number % 4), {}, {}, number % 4 == 0 ? 10 : 2};
  };
  const LoadResult result = server.Run(Closed(1));
  EXPECT_EQ(result.stages.queue.count(), 400);
  EXPECT_NEAR(result.stages.queue.Mean(), 1.5e-3, 1e-9);
  EXPECT_EQ(result.stages.MeanBatchSize(), 4);
  EXPECT_EQ(result.stages.batch_sizes.at(10), 100);
  ASSERT_EQ(result.classes.size(), 2);
  const ClassResult& bulk = result.classes.at(LoadClass::kBulk);
  EXPECT_EQ(bulk.answered, 100);
  EXPECT_EQ(bulk.failed, 0);
  EXPECT_DOUBLE_EQ(bulk.links_per_second, 75);
  EXPECT_EQ(bulk.latency.count(), 100);
  EXPECT_EQ(result.classes.at(LoadClass::kInteractive).answered, 300);
}

TEST(LoadRunTest, SendingEndsAtTheFirstUnavailableWhereAskedFor) {
  SimulatedServer server(Takes(absl::Milliseconds(10)));
  server.status_of = [](absl::Time now) {
    return now < kStart + absl::Seconds(3) ? absl::OkStatus()
                                           : absl::UnavailableError("gone");
  };
  LoadShape shape = Closed(4);
  shape.until_unavailable = true;
  const LoadResult result = server.Run(shape);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.measured, absl::Seconds(2));
  EXPECT_EQ(result.answered, 4 * 199);
  // The run waits for the calls that are under way at the end.
  EXPECT_EQ(result.sent, 4 * 200);
  EXPECT_THAT(result.errors, testing::ElementsAre(testing::Pair(
                                 absl::StatusCode::kUnavailable, 4)));
}

TEST(LoadRunTest, AnInterruptEndsTheMeasuredTime) {
  SimulatedServer server(Takes(absl::Milliseconds(10)));
  server.interrupt_at = kStart + absl::Milliseconds(2005);
  const LoadResult result = server.Run(Open(1000, 100));
  EXPECT_TRUE(result.interrupted);
  EXPECT_NEAR(absl::ToDoubleSeconds(result.measured), 1, 0.02);
  EXPECT_EQ(result.answered, result.sent);
}

}  // namespace
}  // namespace slice
