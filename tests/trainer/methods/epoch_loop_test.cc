#include "trainer/methods/epoch_loop.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

// Follows a script: one loss and one measure of valid per epoch. Each epoch
// takes ten seconds of `clock`.
class ScriptedLearner : public EpochLearner {
 public:
  ScriptedLearner(std::vector<double> losses, std::vector<double> valid,
                  FakeClock& clock)
      : losses_(std::move(losses)), valid_(std::move(valid)), clock_(clock) {}

  absl::StatusOr<double> RunEpoch(int epoch, std::string* batch_name) override {
    clock_.Advance(absl::Seconds(10));
    state_ = epoch;
    *batch_name = "batch 7";
    return losses_[static_cast<size_t>(epoch - 1)];
  }
  absl::StatusOr<double> MeasureValid() override {
    return valid_[static_cast<size_t>(state_ - 1)];
  }
  void Keep() override { kept_ = state_; }
  void Restore() override { state_ = kept_; }

  int state() const { return state_; }

 private:
  const std::vector<double> losses_, valid_;
  FakeClock& clock_;
  int state_ = 0, kept_ = 0;
};

// Moves on by a second whenever it is read.
class TickingClock : public Clock {
 public:
  absl::Time Now() const override { return now_ += absl::Seconds(1); }

 private:
  mutable absl::Time now_ = absl::UnixEpoch();
};

class EpochLoopTest : public testing::Test {
 protected:
  absl::StatusOr<MethodSummary> Run(std::vector<double> losses,
                                    std::vector<double> valid) {
    learner_.emplace(std::move(losses), std::move(valid), clock_);
    return RunEpochs(options_, has_valid_, clock_, *learner_);
  }

  FakeClock clock_;
  EpochLoopOptions options_{.epochs = 5, .patience = 2};
  bool has_valid_ = true;
  std::optional<ScriptedLearner> learner_;
};

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST_F(EpochLoopTest, KeepsTheBestEpoch) {
  const auto summary = Run({5, 4, 3, 2, 1}, {.1, .4, .3, .5, .2});
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->epochs, 5);
  EXPECT_EQ(summary->best_epoch, 4);
  EXPECT_EQ(summary->best_valid, .5);
  EXPECT_EQ(learner_->state(), 4);
  EXPECT_EQ(summary->seconds, 50);
}

TEST_F(EpochLoopTest, StopsWhenValidGetsNoBetter) {
  const auto summary = Run({5, 4, 3, 2, 1}, {.4, .3, .4, .9, .9});
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->epochs, 3);
  EXPECT_EQ(learner_->state(), 1);
  EXPECT_THAT(summary->stopped, HasSubstr("no better for 2 epochs"));
}

TEST_F(EpochLoopTest, MeasuresValidEverySecondEpoch) {
  options_.look_every = 2;
  const auto summary = Run({5, 4, 3, 2, 1}, {.9, .1, .9, .2, .3});
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->valid.size(), 3u);
  EXPECT_EQ(learner_->state(), 5);  // the last epoch is always measured
}

TEST_F(EpochLoopTest, EndsBeforeTheBudgetIsExceeded) {
  options_.budget = absl::Seconds(35);
  const auto summary = Run({5, 4, 3, 2, 1}, {.1, .2, .3, .4, .5});
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->epochs, 3);
  EXPECT_THAT(summary->stopped, HasSubstr("budget"));
}

TEST_F(EpochLoopTest, TheLastEpochIsMeasuredWheneverTheBudgetEnds) {
  options_.budget = absl::Milliseconds(2500);
  options_.look_every = 5;
  ScriptedLearner learner({5, 4, 3, 2, 1}, {.1, .2, .3, .4, .5}, clock_);
  const auto summary = RunEpochs(options_, true, TickingClock(), learner);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_THAT(summary->stopped, HasSubstr("budget"));
  EXPECT_EQ(summary->best_epoch, summary->epochs);
}

TEST_F(EpochLoopTest, ANanLossEndsWithTheBestState) {
  const auto summary = Run({5, 4, kNan, 2, 1}, {.1, .2, .9, .9, .9});
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->epochs, 2);
  EXPECT_EQ(learner_->state(), 2);
  EXPECT_THAT(summary->stopped, HasSubstr("epoch 3, batch 7"));
}

TEST_F(EpochLoopTest, ANanLossInTheFirstEpochIsAnError) {
  const auto summary = Run({kNan, 4, 3, 2, 1}, {.1, .2, .3, .4, .5});
  EXPECT_EQ(summary.status().code(), absl::StatusCode::kAborted);
  EXPECT_THAT(std::string(summary.status().message()), HasSubstr("batch 7"));
}

TEST_F(EpochLoopTest, AMeasureThatIsNoNumberEndsWithTheBestState) {
  const auto summary = Run({5, 4, 3, 2, 1}, {.1, .2, kNan, .9, .9});
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->epochs, 3);
  EXPECT_EQ(learner_->state(), 2);
  EXPECT_THAT(summary->stopped, HasSubstr("was not a number after 3 epochs"));
  EXPECT_EQ(Run({5, 4, 3, 2, 1}, {kNan, .2, .3, .9, .9}).status().code(),
            absl::StatusCode::kAborted);
}

TEST_F(EpochLoopTest, WithoutValidTheLastStateCounts) {
  has_valid_ = false;
  const auto summary = Run({5, 4, 3, 2, 1}, {});
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(learner_->state(), 5);
  EXPECT_EQ(summary->best_epoch, 5);
}

}  // namespace
}  // namespace slice
