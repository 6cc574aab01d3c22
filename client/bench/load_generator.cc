#include "client/bench/load_generator.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <thread>

#include "absl/time/clock.h"

namespace slice {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(200);

absl::Duration ProcessorTime() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return absl::DurationFromTimeval(usage.ru_utime) +
         absl::DurationFromTimeval(usage.ru_stime);
}

// Makes the sleeps of this thread precise while the object lives. Otherwise the
// kernel may extend a sleep by the thread's timer slack, 50 µs by default. That
// is too much where answers take a few hundred µs.
class PreciseSleep {
 public:
  PreciseSleep() : slack_(prctl(PR_GET_TIMERSLACK)) {
    prctl(PR_SET_TIMERSLACK, 1);
  }
  ~PreciseSleep() {
    if (slack_ > 0) prctl(PR_SET_TIMERSLACK, slack_);
  }
  PreciseSleep(const PreciseSleep&) = delete;
  PreciseSleep& operator=(const PreciseSleep&) = delete;

 private:
  const int slack_;
};

void SendAll(LoadRun* run, const std::function<bool(int64_t)>& tick) {
  const PreciseSleep precise;
  absl::Time next_tick = absl::Now() + kTick;
  for (absl::Time due = run->Send(); due != absl::InfiniteFuture();
       due = run->Send()) {
    const absl::Time now = absl::Now();
    if (now >= next_tick) {
      if (!tick(run->finished())) run->Interrupt();
      next_tick = now + kTick;
    }
    absl::SleepFor(std::min(due, next_tick) - now);
  }
}

}  // namespace

GeneratedLoad RunLoad(const LoadShape& shape, LoadCalls* calls,
                      const std::function<bool(int64_t finished)>& tick) {
  const absl::Time start = absl::Now();
  const absl::Duration used = ProcessorTime();
  LoadRun run(shape, Clock::Real(), calls);
  std::thread answers([&run, calls] {
    while (const auto call = calls->Next()) run.Finished(*call);
  });
  SendAll(&run, tick);
  run.WaitUntilIdle();
  calls->EndWait();
  answers.join();
  GeneratedLoad load{run.TakeResult()};
  load.generator_cores =
      absl::FDivDuration(ProcessorTime() - used, absl::Now() - start);
  return load;
}

}  // namespace slice
