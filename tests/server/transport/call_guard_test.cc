#include "server/transport/call_guard.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

class CallGuardTest : public ::testing::Test {
 protected:
  // Begins `calls` of a peer within `time`. Of each five calls that are watched
  // to their end, `bad` end in this way, and the others are answered.
  void Call(const std::string& peer, int calls, absl::Duration time, int bad,
            CallOutcome how = CallOutcome::kReset) {
    for (int i = 0; i < calls; ++i) {
      clock_.Advance(time / calls);
      if (!guard_.Begin([&] { return peer; })) continue;
      guard_.End(peer, watched_++ % 5 < bad ? how : CallOutcome::kOther);
    }
  }

  FakeClock clock_;
  std::vector<std::string> closed_;
  CallGuard guard_{&clock_, [this](const std::string& peer, CallFlood why) {
                     closed_.push_back(peer);
                     why_ = why;
                   }};
  CallFlood why_ = CallFlood::kOpenCalls;
  int watched_ = 0;
};

TEST_F(CallGuardTest, ClosesWhatResetsMostOfManyCalls) {
  Call("a", 2000, absl::Milliseconds(500), 5);
  EXPECT_EQ(closed_, std::vector<std::string>{"a"}) << "once";
}

TEST_F(CallGuardTest, ClosesWhatGoesOnAlthoughItsQuotaIsUsedUp) {
  Call("a", 2000, absl::Milliseconds(500), 5, CallOutcome::kQuotaRefused);
  EXPECT_EQ(closed_, std::vector<std::string>{"a"}) << "once";
  EXPECT_EQ(why_, CallFlood::kRefused);
}

TEST_F(CallGuardTest, LeavesWhoIsRefusedForLessThanHalf) {
  Call("a", 100'000, absl::Seconds(2), 2, CallOutcome::kQuotaRefused);
  EXPECT_TRUE(closed_.empty());
}

TEST_F(CallGuardTest, LeavesRefusedCallersThatAskSlowly) {
  Call("a", 200 * 60, absl::Minutes(1), 5, CallOutcome::kQuotaRefused);
  EXPECT_TRUE(closed_.empty());
}

TEST_F(CallGuardTest, LeavesCallsThatAreAnswered) {
  Call("a", 100'000, absl::Seconds(2), 0);
  EXPECT_TRUE(closed_.empty());
}

TEST_F(CallGuardTest, LeavesWhoResetsLessThanHalf) {
  Call("a", 100'000, absl::Seconds(2), 2);
  EXPECT_TRUE(closed_.empty());
  Call("a", 100'000, absl::Seconds(2), 3);
  EXPECT_FALSE(closed_.empty());
}

TEST_F(CallGuardTest, LeavesAFewResets) {
  Call("a", 200 * 60, absl::Minutes(1), 5);
  EXPECT_TRUE(closed_.empty());
}

TEST_F(CallGuardTest, ClosesWhatHasTooManyCallsOpen) {
  constexpr size_t kFew =
      (CallGuard::kUnwatchedCalls + CallGuard::kMaxOpenCalls) *
      CallGuard::kSampling;
  size_t watched = 0;
  const auto begin = [&] {
    return guard_.Begin([] { return std::string("a"); });
  };
  for (size_t i = 0; i < kFew; ++i) watched += begin();
  EXPECT_TRUE(closed_.empty());
  for (size_t i = 0; i < 8 * CallGuard::kSampling; ++i) watched += begin();
  EXPECT_EQ(closed_, std::vector<std::string>{"a"}) << "once";
  // Calls that ended make room for others.
  while (watched-- > 0) guard_.End("a", CallOutcome::kOther);
  clock_.Advance(absl::Seconds(2));
  for (size_t i = 0; i < kFew; ++i) begin();
  EXPECT_EQ(closed_.size(), 1);
}

TEST_F(CallGuardTest, ForgetsQuietConnections) {
  for (int i = 0; i < 80; ++i) {
    Call(absl::StrCat("peer ", i / 8), 1, absl::Milliseconds(1), 0);
  }
  EXPECT_EQ(guard_.hosts(), 10);
  clock_.Advance(absl::Minutes(1));
  Call("new", 8, absl::Milliseconds(1), 0);
  EXPECT_EQ(guard_.hosts(), 1);
}

TEST(CloseConnectionsOfTest, EndsThatConnectionAlone) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(bind(listener, generic, size), 0);
  ASSERT_EQ(listen(listener, 2), 0);
  ASSERT_EQ(getsockname(listener, generic, &size), 0);
  int clients[2], accepted[2];
  std::string peers[2];
  for (int i = 0; i < 2; ++i) {
    clients[i] = socket(AF_INET, SOCK_STREAM, 0);
    ASSERT_EQ(connect(clients[i], generic, size), 0);
    sockaddr_in from = {};
    socklen_t from_size = sizeof(from);
    accepted[i] =
        accept(listener, reinterpret_cast<sockaddr*>(&from), &from_size);
    ASSERT_GE(accepted[i], 0);
    peers[i] = absl::StrCat("ipv4:127.0.0.1:", ntohs(from.sin_port));
  }
  EXPECT_EQ(CloseConnectionsOf(peers[0]), 1);
  char byte = 'x';
  EXPECT_EQ(recv(clients[0], &byte, 1, 0), 0) << "the end of the connection";
  EXPECT_EQ(send(accepted[1], &byte, 1, 0), 1);
  EXPECT_EQ(recv(clients[1], &byte, 1, 0), 1);
  EXPECT_EQ(CloseConnectionsOf("ipv4:192.0.2.1:1"), 0);
  for (int i = 0; i < 2; ++i) {
    close(clients[i]);
    close(accepted[i]);
  }
  close(listener);
}

}  // namespace
}  // namespace slice
