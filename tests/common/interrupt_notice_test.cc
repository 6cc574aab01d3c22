#include "common/interrupt_notice.h"

#include <gtest/gtest.h>

#include <csignal>

namespace slice {
namespace {

using InterruptNoticeDeathTest = ::testing::TestWithParam<int>;

TEST_P(InterruptNoticeDeathTest, WritesItsLineAndEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const InterruptNotice notice("the work is in mine.work");
        std::raise(GetParam());
      },
      ::testing::ExitedWithCode(130), "^\n?the work is in mine.work\n$");
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptNoticeDeathTest,
                         ::testing::Values(SIGINT, SIGTERM));

TEST(InterruptNoticeTest, RestoresWhatWasBefore) {
  std::signal(SIGINT, SIG_DFL);
  { const InterruptNotice notice("x"); }
  struct sigaction now = {};
  sigaction(SIGINT, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

TEST(InterruptNoticeTest, AnIgnoredSignalStaysIgnored) {
  std::signal(SIGINT, SIG_IGN);
  {
    const InterruptNotice notice("x");
    std::raise(SIGINT);
  }
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace
}  // namespace slice
