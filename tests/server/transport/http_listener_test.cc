#include "server/transport/http_listener.h"

#include <httplib.h>

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/access/access_control.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class HttpListenerTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<HttpListener>> Listen(
      const std::string& address) {
    return HttpListener::Listen(address, {.access = &access_, .local = local_},
                                {.path = "/metrics",
                                 .content_type = "text/plain",
                                 .role = Role::kMetrics,
                                 .text = [] { return "slice_up 1\n"; }});
  }

  const std::unique_ptr<CallLog> log_ = *CallLog::Open({}, Clock::Real());
  AccessControl access_{*AccessPolicy::Create({}, std::nullopt), log_.get(),
                        Clock::Real()};
  bool local_ = true;
};

TEST_F(HttpListenerTest, AnswersItsPageAlone) {
  const auto listener = Listen("127.0.0.1:0");
  ASSERT_TRUE(listener.ok()) << listener.status();
  httplib::Client client("http://" + (*listener)->address());
  const auto page = client.Get("/metrics");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_EQ(page->body, "slice_up 1\n");
  EXPECT_EQ(client.Get("/")->status, 404);
  EXPECT_EQ(client.Post("/metrics")->status, 404);
}

TEST_F(HttpListenerTest, ACallerWithoutTheRoleIsToldWhatItLacks) {
  local_ = false;
  const auto listener = Listen("127.0.0.1:0");
  ASSERT_TRUE(listener.ok()) << listener.status();
  httplib::Client client("http://" + (*listener)->address());
  const auto page = client.Get("/metrics");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 401);
  EXPECT_EQ(page->get_header_value("WWW-Authenticate"), "Bearer");
  EXPECT_THAT(page->body, HasSubstr("lacks the role 'metrics'"));
}

TEST_F(HttpListenerTest, AnAddressInUseIsRefused) {
  const auto first = Listen("127.0.0.1:0");
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(Listen((*first)->address()).status().code(),
            absl::StatusCode::kUnavailable);
}

TEST_F(HttpListenerTest, EndsAtOnce) {
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(Listen("127.0.0.1:0").ok());
}

}  // namespace
}  // namespace slice
