#include "server/stop_signal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

namespace slice {
namespace {

// Each test runs in its own process.
class StopSignalDeathTest : public ::testing::Test {
 protected:
  StopSignalDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(StopSignalDeathTest, BeforeServingTheFirstSignalEndsTheProcess) {
  EXPECT_EXIT(
      {
        StopSignal stop;
        kill(getpid(), SIGTERM);
        stop.Wait();
      },
      ::testing::ExitedWithCode(0), "");
}

TEST_F(StopSignalDeathTest, WhileServingTheFirstSignalIsWaitedFor) {
  EXPECT_EXIT(
      {
        StopSignal stop;
        stop.StartServing();
        kill(getpid(), SIGINT);
        stop.Wait();
        _exit(7);
      },
      ::testing::ExitedWithCode(7), "");
}

TEST_F(StopSignalDeathTest, TheSecondSignalEndsTheProcessAtOnce) {
  EXPECT_EXIT(
      {
        StopSignal stop;
        stop.StartServing();
        kill(getpid(), SIGTERM);
        stop.Wait();
        while (true) kill(getpid(), SIGTERM);
      },
      ::testing::ExitedWithCode(1), "second signal");
}

TEST_F(StopSignalDeathTest, OtherSignalsOfTheTerminalAndOfUsersDoNothing) {
  EXPECT_EXIT(
      {
        StopSignal stop;
        for (const int signal : {SIGHUP, SIGUSR1, SIGUSR2}) {
          kill(getpid(), signal);
        }
        stop.StartServing();
        kill(getpid(), SIGTERM);
        stop.Wait();
        _exit(7);
      },
      ::testing::ExitedWithCode(7), "does nothing here");
}

// A reload may load models for minutes.
TEST_F(StopSignalDeathTest, AnHangUpDoesNotKeepOtherSignalsBack) {
  EXPECT_EXIT(
      {
        alarm(60);  // ends the process if the signal is not seen
        StopSignal stop;
        stop.StartServing();
        stop.OnHangUp([&stop] {
          kill(getpid(), SIGTERM);
          stop.Wait();
          _exit(7);
        });
        kill(getpid(), SIGHUP);
        stop.Wait();
        stop.OnHangUp(nullptr);
      },
      ::testing::ExitedWithCode(7), "");
}

TEST_F(StopSignalDeathTest, AfterIgnoreHangUpsThereAreNoMoreCalls) {
  EXPECT_EXIT(
      {
        StopSignal stop;
        stop.StartServing();
        stop.OnHangUp([&stop] {
          if (stop.IsRaised()) _exit(8);
          stop.IgnoreHangUps();
          stop.Raise();
        });
        kill(getpid(), SIGHUP);
        stop.Wait();
        kill(getpid(), SIGHUP);
        stop.OnHangUp(nullptr);
        _exit(7);
      },
      ::testing::ExitedWithCode(7), "");
}

TEST(StopSignalTest, MayBeRaisedByAThread) {
  StopSignal stop;
  std::thread other([&stop] {
    stop.Raise();
    stop.Raise();
  });
  stop.Wait();
  other.join();
}

TEST(StopSignalTest, EndsWithoutASignal) { StopSignal stop; }

}  // namespace
}  // namespace slice
