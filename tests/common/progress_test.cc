#include "common/progress.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(FormatSecondsTest, PicksTheUnitByLength) {
  EXPECT_EQ(FormatSeconds(0), "0.0 s");
  EXPECT_EQ(FormatSeconds(4.24), "4.2 s");
  EXPECT_EQ(FormatSeconds(60), "1 min 00 s");
  EXPECT_EQ(FormatSeconds(185), "3 min 05 s");
  EXPECT_EQ(FormatSeconds(3720), "1 h 02 min");
}

TEST(ProgressLineTest, ShortWorkIsQuiet) {
  testing::internal::CaptureStderr();
  {
    ProgressLine progress("walks", 10, "walks");
    progress.Advance(10);
    progress.Finish();
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(), IsEmpty());
}

TEST(ProgressLineTest, NoteClosesTheLineOnce) {
  testing::internal::CaptureStderr();
  {
    ProgressLine progress("walks", 10, "steps");
    progress.Advance(3);
    progress.Advance(4);
    progress.Finish("loss 0.5");
    progress.Finish("again");
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, HasSubstr("walks: 7 steps, "));
  EXPECT_THAT(text, HasSubstr(", loss 0.5\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("again")));
}

// The last line that was written.
std::string LastLine(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

// The line of a work of `total` units of which `done` took `time`.
std::string LineAfter(absl::Duration time, uint64_t done, uint64_t total) {
  FakeClock clock;
  testing::internal::CaptureStderr();
  ProgressLine progress("predict", total, "links", &clock);
  clock.Advance(time);
  progress.Advance(done);
  return LastLine(testing::internal::GetCapturedStderr());
}

TEST(ProgressLineTest, TellsRateAndTimeLeft) {
  EXPECT_EQ(LineAfter(absl::Seconds(10), 2000, 3000),
            "predict: 2000/3000 links, 200/s, 5.0 s left");
}

TEST(ProgressLineTest, ASlowRateIsThatOfAMinute) {
  EXPECT_EQ(LineAfter(absl::Seconds(100), 1, 6),
            "predict: 1/6 links, 0.6/min, 8 min 20 s left");
}

TEST(ProgressLineTest, TheRateIsThatOfTheLastTenSeconds) {
  FakeClock clock;
  testing::internal::CaptureStderr();
  ProgressLine progress("predict", 30000, "links", &clock);
  for (int i = 0; i < 3; ++i) {
    clock.Advance(absl::Seconds(5));
    progress.Advance(5000);
  }
  for (int i = 0; i < 2; ++i) {
    clock.Advance(absl::Seconds(5));
    progress.Advance(500);
  }
  progress.SetNote("32 links per request");
  clock.Advance(absl::Seconds(5));
  progress.Advance(500);
  EXPECT_EQ(LastLine(testing::internal::GetCapturedStderr()),
            "predict: 16.5 k/30.0 k links, 100/s, 2 min 15 s left, 32 links "
            "per request");
}

TEST(ProgressLineTest, WithoutProgressThereIsNoTimeLeft) {
  EXPECT_EQ(LineAfter(absl::Seconds(5), 0, 10), "predict: 0/10 links, 0/s");
}

TEST(ProgressLineTest, TheClosingLineTellsTheMeanRate) {
  FakeClock clock;
  testing::internal::CaptureStderr();
  ProgressLine progress("predict", 600, "links", &clock);
  clock.Advance(absl::Seconds(2));
  progress.Advance(500);
  clock.Advance(absl::Seconds(18));
  progress.Advance(100);
  progress.Finish();
  EXPECT_EQ(LastLine(testing::internal::GetCapturedStderr()),
            "predict: 600 links, 30/s, 20.0 s");
}

}  // namespace
}  // namespace slice
