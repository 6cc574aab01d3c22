#include "model/forward_timing.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

// A pass that advances the clock by a time per call and a time per context. The
// first run of each batch size takes a second more.
class TimedForward final : public ForwardPass {
 public:
  TimedForward(ForwardPath path, FakeClock* clock, absl::Duration per_call,
               absl::Duration per_context)
      : path_(path),
        clock_(clock),
        per_call_(per_call),
        per_context_(per_context) {}

  ForwardPath path() const override { return path_; }

  absl::StatusOr<ForwardOutputs> Run(const ContextBatch& batch,
                                     bool) const override {
    if (!failure.ok()) return failure;
    const bool first = runs.empty() || batch.rows > runs.back();
    clock_->Advance(per_call_ + per_context_ * batch.rows +
                    absl::Seconds(first && runs.size() < 3 ? 1 : 0));
    runs.push_back(batch.rows);
    return ForwardOutputs();
  }
  absl::StatusOr<std::vector<float>> RunStructural(RelationId,
                                                   std::span<const float>,
                                                   size_t) const override {
    return std::vector<float>();
  }

  absl::Status failure;
  mutable std::vector<int64_t> runs;  // rows of each run

 private:
  const ForwardPath path_;
  FakeClock* const clock_;
  const absl::Duration per_call_, per_context_;
};

class ForwardTimingTest : public testing::Test {
 protected:
  FakeClock clock_;
  TimedForward native_ = {ForwardPath::kNative, &clock_, absl::Microseconds(5),
                          absl::Microseconds(5)};
  // Slow to start, and faster in large batches.
  TimedForward torch_script_ = {ForwardPath::kTorchScript, &clock_,
                                absl::Microseconds(200), absl::Microseconds(1)};
  const MadeUpBounds bounds_ = {10, 2, 3};
};

TEST_F(ForwardTimingTest, KeepsTheShortestRunOfEachBatchButNotTheFirst) {
  const ForwardPass* passes[] = {&native_, &torch_script_};
  const auto timings =
      TimeForwardPasses(passes, bounds_, absl::ZeroDuration(), clock_);
  ASSERT_TRUE(timings.ok()) << timings.status();
  ASSERT_EQ(timings->size(), 6);
  const std::vector<int64_t> contexts = {1, 1, 8, 8, 64, 64};
  const std::vector<int> micros = {10, 201, 45, 208, 325, 264};
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ((*timings)[i].path, passes[i % 2]->path());
    EXPECT_EQ((*timings)[i].contexts, contexts[i]);
    EXPECT_EQ((*timings)[i].duration, absl::Microseconds(micros[i]));
  }
  EXPECT_EQ(native_.runs, torch_script_.runs);
  EXPECT_EQ(native_.runs, (std::vector<int64_t>{1, 8, 64, 1, 8, 64}));
}

TEST_F(ForwardTimingTest, GoesOnUntilTheBudgetIsSpent) {
  const ForwardPass* passes[] = {&native_};
  const absl::Time start = clock_.Now();
  const absl::Duration budget = absl::Seconds(4);
  ASSERT_TRUE(TimeForwardPasses(passes, bounds_, budget, clock_).ok());
  // A round takes 380 microseconds.
  EXPECT_GE(clock_.Now() - start, budget);
  EXPECT_LT(clock_.Now() - start, budget + absl::Milliseconds(1));
}

TEST_F(ForwardTimingTest, ReportsAPassThatFails) {
  torch_script_.failure = absl::InternalError("broken");
  const ForwardPass* passes[] = {&native_, &torch_script_};
  EXPECT_EQ(TimeForwardPasses(passes, bounds_, absl::ZeroDuration(), clock_)
                .status()
                .code(),
            absl::StatusCode::kInternal);
}

TEST(FastestPathTest, WeighsEveryBatchSizeAlike) {
  const auto timings = [](int one_native, int one_torch, int many_native,
                          int many_torch) {
    return std::vector<ForwardTiming>{
        {ForwardPath::kNative, 1, absl::Microseconds(one_native)},
        {ForwardPath::kTorchScript, 1, absl::Microseconds(one_torch)},
        {ForwardPath::kNative, 64, absl::Microseconds(many_native)},
        {ForwardPath::kTorchScript, 64, absl::Microseconds(many_torch)}};
  };
  EXPECT_EQ(FastestPath(timings(10, 100, 500, 1000)), ForwardPath::kNative);
  EXPECT_EQ(FastestPath(timings(10, 100, 5000, 1000)), ForwardPath::kNative);
  EXPECT_EQ(FastestPath(timings(10, 40, 5000, 1000)),
            ForwardPath::kTorchScript);
  EXPECT_EQ(FastestPath(timings(10, 10, 10, 10)), ForwardPath::kNative);
}

}  // namespace
}  // namespace slice
