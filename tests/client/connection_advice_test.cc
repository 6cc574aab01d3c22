#include "client/connection_advice.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kFailed[] = "failed to connect to all addresses; last error: ";

struct Case {
  const char* said;
  const char* advice;
};

class ConnectionAdviceTest : public testing::TestWithParam<Case> {};

TEST_P(ConnectionAdviceTest, NamesTheWayOut) {
  const std::string message = std::string(kFailed) + GetParam().said;
  EXPECT_THAT(std::string(ConnectionAdvice(message)),
              HasSubstr(GetParam().advice));
}

// Messages of gRPC 1.51.
INSTANTIATE_TEST_SUITE_P(
    Messages, ConnectionAdviceTest,
    testing::Values(
        Case{"UNKNOWN: ipv4:127.0.0.1:1: Failed to connect to remote host: "
             "Connection refused",
             "is slice-server running"},
        Case{"UNKNOWN: ipv4:127.0.0.1:1: Trying to connect an http1.x server",
             "that of the metrics"},
        Case{"DNS resolution failed for http://a:1", "without http://"},
        Case{"UNKNOWN: unix:/none.sock: No such file or directory",
             "is slice-server running"},
        Case{"UNKNOWN: ipv4:127.0.0.1:1: Ssl handshake failed: SSL_ERROR_SSL: "
             "error:0A00010B:SSL routines::wrong version number",
             "leave out --tls"},
        Case{"UNKNOWN: ipv4:127.0.0.1:1: Ssl handshake failed: SSL_ERROR_SSL: "
             "error:0A000086:SSL routines::certificate verify failed",
             "--cacert"},
        Case{"UNKNOWN: ipv4:127.0.0.1:1: Peer name 127.0.0.1 is not in peer "
             "certificate",
             "a name that its certificate has"},
        Case{"UNAVAILABLE: ipv4:127.0.0.1:1: Socket closed", "try --tls"},
        Case{"UNAVAILABLE: ipv4:127.0.0.1:1: Socket closed",
             "not accept the certificate of --cert"},
        Case{"UNAVAILABLE: ipv4:127.0.0.1:1: Failed parsing HTTP/2",
             "speaks no gRPC"}));

TEST(ConnectionAdvice, IsSilentAboutWhatHappensLater) {
  EXPECT_THAT(std::string(ConnectionAdvice("Socket closed")), IsEmpty());
  EXPECT_THAT(std::string(ConnectionAdvice("the server is draining")),
              IsEmpty());
}

}  // namespace
}  // namespace slice
