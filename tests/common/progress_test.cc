#include "common/progress.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

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

}  // namespace
}  // namespace slice
