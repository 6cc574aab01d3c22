// The page of a server, as a browser gets it. tests/page looks at it.
#include "server/http/people_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <string>
#include <thread>
#include <vector>

#include "common/sha256.h"
#include "tests/server/test_server.h"

namespace slice {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class PeoplePagesTest : public ::testing::Test {
 protected:
  PeoplePagesTest() : test_(WithHttp()) {}

  static ServerOptions WithHttp() {
    ServerOptions options = TestServerOptions();
    options.http_listen = "127.0.0.1:0";
    return options;
  }

  httplib::Result Get(const std::string& path,
                      const httplib::Headers& headers = {}) {
    httplib::Client http("http://" + test_.server->http_address());
    http.set_read_timeout(30);
    return http.Get(path.c_str(), headers);
  }

  TestServer test_;
};

TEST_F(PeoplePagesTest, EveryViewIsThePage) {
  const std::string port =
      test_.server->address().substr(test_.server->address().rfind(':') + 1);
  for (const char* path :
       {"/", "/find?name=a", "/ask", "/why?source=a", "/what-if", "/model"}) {
    const auto answer = Get(path);
    ASSERT_TRUE(answer) << path;
    EXPECT_EQ(answer->status, 200) << path;
    EXPECT_EQ(answer->get_header_value("Content-Type"),
              "text/html; charset=utf-8");
    EXPECT_THAT(answer->body, AllOf(HasSubstr("/assets/page.js"),
                                    HasSubstr("content=\"" + port + "\""),
                                    Not(HasSubstr("@GRPC_PORT@"))));
  }
}

TEST_F(PeoplePagesTest, NothingOfOthersIsLetIn) {
  const auto answer = Get("/");
  ASSERT_TRUE(answer);
  EXPECT_THAT(
      answer->get_header_value("Content-Security-Policy"),
      AllOf(HasSubstr("default-src 'none'"), HasSubstr("script-src 'self';"),
            HasSubstr("frame-ancestors 'none'"), Not(HasSubstr("unsafe"))));
  EXPECT_EQ(answer->get_header_value("Referrer-Policy"), "no-referrer");
  EXPECT_EQ(answer->get_header_value("X-Content-Type-Options"), "nosniff");
}

TEST_F(PeoplePagesTest, OnlyTheFilesOfThePageAreThere) {
  EXPECT_EQ(Get("/assets/page.css")->status, 200);
  for (const char* path :
       {"/assets/", "/assets/../page.css", "/assets/%2e%2e/page.css",
        "/assets/..%2fMANIFEST.json", "//etc/passwd", "/../../etc/passwd",
        "/assets/page.js/", "/index.html"}) {
    EXPECT_EQ(Get(path)->status, 404) << path;
  }
}

TEST_F(PeoplePagesTest, WhatABrowserHasIsNotSentAgain) {
  const std::string etag = Get("/assets/page.js")->get_header_value("ETag");
  EXPECT_EQ(Get("/assets/page.js", {{"If-None-Match", etag}})->status, 304);
  // Answers without a body at the same time, as a browser asks for them.
  std::vector<std::thread> browsers;
  for (int i = 0; i < 8; ++i) {
    browsers.emplace_back([this, etag] {
      for (int k = 0; k < 50; ++k) {
        const auto answer = Get("/assets/page.js", {{"If-None-Match", etag}});
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->status, 304);
      }
    });
  }
  for (std::thread& browser : browsers) browser.join();
}

TEST_F(PeoplePagesTest, AModelWithoutAReportSaysSo) {
  test_.Serve();
  const auto answer = Get("/report");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 404);
  EXPECT_THAT(answer->body, HasSubstr("has no report"));
  EXPECT_THAT(Get("/report?model=other")->body, HasSubstr("other"));
  EXPECT_EQ(Get("/report?modell=other")->status, 400);
}

// An identity may ask some models alone, and each report counts as a search.
TEST(ReportTest, IsShownToWhomTheModelAnswers) {
  ServerOptions options = TestServerOptions();
  options.http_listen = "127.0.0.1:0";
  Identity shop{.name = "shop",
                .roles = *ParseRoles("predict"),
                .models = {"default"},
                .tokens_sha256 = {Sha256Raw("token-of-shop")}};
  shop.limits.per_second[static_cast<int>(QuotaKind::kSearches)] = 0.001;
  options.access.identities = {shop};
  TestServer test(options);
  const_cast<ServedModel&>(*test.fake.served).report = "<p>of default</p>";
  test.Serve();
  auto secret = MakeFakeModel(ToySnapshot(), "secret");
  const_cast<ServedModel&>(*secret.served).report = "<p>of secret</p>";
  test.server->Serve(secret.served);
  httplib::Client http("http://" + test.server->http_address());
  const auto get = [&](const char* path, const char* token) {
    return http.Get(path, {{"Authorization", std::string("Bearer ") + token}});
  };
  const auto other = get("/report?model=secret", "token-of-shop");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->status, 403);
  EXPECT_THAT(other->body, AllOf(HasSubstr("'shop' may not ask the model"),
                                 Not(HasSubstr("<p>"))));
  const auto used_up = get("/report?model=default", "token-of-shop");
  EXPECT_EQ(used_up->status, 429) << "the report before was charged";
  // Whoever shows nothing may do everything on a local listener.
  EXPECT_EQ(http.Get("/report?model=secret")->body, "<p>of secret</p>");
  EXPECT_EQ(http.Get("/report")->body, "<p>of default</p>");
}

TEST(PageTest, SaysWhereGrpcListens) {
  const auto meta = [](const std::string& address) {
    const HttpEndpoint page = PageEndpoints(address)[0];
    std::string html;
    page.answer({}, [&](HttpAnswer answer) { html = answer.body; });
    const std::string name = "name=\"grpc-port\" content=\"";
    const size_t at = html.find(name) + name.size();
    return html.substr(at, html.find('"', at) - at);
  };
  EXPECT_EQ(meta("127.0.0.1:50051"), "50051");
  EXPECT_EQ(meta("[::1]:50051"), "50051");
  // The page takes for a path what is not of digits alone.
  EXPECT_EQ(meta("unix:/run/slice.sock"), "/run/slice.sock");
  EXPECT_EQ(meta("unix:/run/slice:50051"), "/run/slice:50051");
  EXPECT_EQ(meta("unix:50051"), "./50051");
}

}  // namespace
}  // namespace slice
