#include "server/scheduling/bulk_turns.h"

#include <gtest/gtest.h>

#include "common/random.h"
#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

constexpr double kShare = 0.1;

class BulkTurnsTest : public ::testing::Test {
 protected:
  // Runs a batch of this length; returns how often it offered the core.
  int Run(absl::Duration length) {
    const int before = yields_;
    turns_.Begin();
    clock_.Advance(length);
    ran_ += length;
    turns_.End(requests_);
    return yields_ - before;
  }

  FakeClock clock_;
  absl::Duration away_;  // how long the core is away after each offer
  absl::Duration ran_, waited_;
  uint64_t requests_ = 0;
  int yields_ = 0;
  BulkTurns turns_{&clock_, kShare, [this] {
                     ++yields_;
                     clock_.Advance(away_);
                     waited_ += away_;
                   }};
};

TEST_F(BulkTurnsTest, KeepsItsCoreWhileNobodyElseAsks) {
  away_ = absl::Milliseconds(3);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(Run(absl::Microseconds(200)), 0);
  }
}

TEST_F(BulkTurnsTest, OffersItAfterEachBatchWhileRequestsComeIn) {
  for (int i = 0; i < 1000; ++i) {
    if (i % 10 == 0) ++requests_;
    EXPECT_EQ(Run(absl::Microseconds(200)), 1) << i;
  }
  // Now the last request becomes old.
  int yields = 0;
  for (int i = 0; i < 1000; ++i) yields += Run(absl::Microseconds(200));
  EXPECT_LT(yields, 110);
  EXPECT_EQ(Run(absl::Microseconds(200)), 0);
}

// The share holds for any lengths of batches and waits.
TEST_F(BulkTurnsTest, KeepsItsShareOfTheTime) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    ran_ = waited_ = absl::ZeroDuration();
    const absl::Duration longest = absl::Microseconds(1 + random.Below(20'000));
    for (int i = 0; i < 500; ++i) {
      ++requests_;
      away_ = longest * random.Uniform();
      Run(absl::Microseconds(1 + random.Below(1000)));
      // Waits that were saved up before, and the last wait, may be added.
      EXPECT_LE(waited_, ran_ * ((1 - kShare) / kShare) + longest +
                             absl::Milliseconds(20))
          << seed;
    }
    EXPECT_GT(yields_, 0);
  }
}

}  // namespace
}  // namespace slice
