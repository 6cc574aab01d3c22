#include "server/transport/http_listener.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/mutex.h"
#include "common/openssl_types.h"
#include "server/access/access_control.h"
#include "server/http/server_pages.h"
#include "tests/testing/temp_directory.h"
#include "tests/testing/test_certificate.h"

namespace slice {
namespace {

namespace asio = boost::asio;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr size_t kMostBody = 100000;
constexpr char kAskHeld[] = "GET /held HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

asio::ip::tcp::endpoint EndpointOf(const std::string& address) {
  const std::string port = address.substr(address.rfind(':') + 1);
  return {asio::ip::make_address("127.0.0.1"),
          static_cast<uint16_t>(std::stoi(port))};
}

// What is sent, byte by byte as it is written here.
class RawClient {
 public:
  explicit RawClient(const std::string& address) {
    socket_.connect(EndpointOf(address));
  }
  void Send(const std::string& text) {
    boost::system::error_code ignored;  // the other end may have closed
    asio::write(socket_, asio::buffer(text), ignored);
  }
  // All that comes until the other end closes.
  std::string ReadAll() {
    std::string all;
    boost::system::error_code end;
    asio::read(socket_, asio::dynamic_buffer(all), end);
    return all;
  }
  void Close() { socket_.close(); }

 private:
  asio::io_context io_;
  asio::ip::tcp::socket socket_{io_};
};

// Sends over TLS, and trusts every server.
class TlsClient {
 public:
  explicit TlsClient(const std::string& address) {
    socket_.connect(EndpointOf(address));
    SSL_set_fd(tls_.get(), socket_.native_handle());
    EXPECT_EQ(SSL_connect(tls_.get()), 1);
  }
  void Send(const std::string& text) {
    EXPECT_GT(SSL_write(tls_.get(), text.data(), static_cast<int>(text.size())),
              0);
  }
  // Ends TLS before the connection, as TLS asks for.
  void Leave() {
    SSL_shutdown(tls_.get());
    socket_.close();
  }

 private:
  asio::io_context io_;
  asio::ip::tcp::socket socket_{io_};
  const std::unique_ptr<SSL_CTX, OpenSslFree<SSL_CTX_free>> context_{
      SSL_CTX_new(TLS_client_method())};
  const std::unique_ptr<SSL, OpenSslFree<SSL_free>> tls_{
      SSL_new(context_.get())};
};

// Answers when it is told to.
class HeldAnswer {
 public:
  HttpCancel Take(HttpDone done) {
    MutexLock lock(&mutex_);
    done_ = std::move(done);
    asked_.set_value();
    return [this] { cancelled_.set_value(); };
  }
  void Give(HttpAnswer answer) {
    MutexLock lock(&mutex_);
    std::exchange(done_, nullptr)(std::move(answer));
  }
  std::future<void> Asked() { return asked_.get_future(); }
  std::future<void> Cancelled() { return cancelled_.get_future(); }
  void ExpectCancelled() {
    EXPECT_EQ(Cancelled().wait_for(std::chrono::seconds(20)),
              std::future_status::ready);
    Give(PlainAnswer(200, "late"));
  }

 private:
  Mutex mutex_;
  HttpDone done_ ABSL_GUARDED_BY(mutex_);
  std::promise<void> asked_, cancelled_;
};

// Keeps the connection of a request after its answer.
class KeptRequest {
 public:
  HttpAnswer Keep(const HttpRequest& request) {
    MutexLock lock(&mutex_);
    hold_ = request.hold;
    return PlainAnswer(200, "kept");
  }
  void Release() {
    MutexLock lock(&mutex_);
    hold_ = nullptr;
  }

 private:
  Mutex mutex_;
  std::function<bool(size_t)> hold_ ABSL_GUARDED_BY(mutex_);
};

class HttpListenerTest : public ::testing::Test {
 protected:
  HttpListenerTest() { security_.access = &access_; }

  std::vector<HttpEndpoint> Endpoints() {
    const auto anyone = [](const ShownCredentials&) {
      return absl::OkStatus();
    };
    const auto text = [](const HttpRequest&) {
      HttpAnswer answer = PlainAnswer(200, std::string(5000, 'x'));
      answer.headers.emplace_back("ETag", "\"5000\"");
      return answer;
    };
    const auto echo = [](const HttpRequest& request) {
      return PlainAnswer(200, request.verb + " " + request.query + " " +
                                  std::to_string(request.body.size()));
    };
    return {
        MetricsEndpoint(security_, &metrics_),
        {"GET", "/text", 0, anyone, AnswerAtOnce(text)},
        {"POST", "/echo", kMostBody, anyone, AnswerAtOnce(echo)},
        {"GET", "/hold", 0, anyone,
         AnswerAtOnce([](const HttpRequest& request) {
           return PlainAnswer(
               200, request.hold(std::stoul(request.query)) ? "held" : "full");
         })},
        {"GET", "/keep", 0, anyone,
         AnswerAtOnce([this](const HttpRequest& r) { return kept_.Keep(r); })},
        {"GET", "/held", 0, anyone, [this](const HttpRequest&, HttpDone done) {
           return held_.Take(std::move(done));
         }}};
  }

  void Listen() {
    auto listener =
        HttpListener::Listen("127.0.0.1:0", security_, 1000, Endpoints());
    ASSERT_TRUE(listener.ok()) << listener.status();
    listener_ = *std::move(listener);
    http_ = std::make_unique<httplib::Client>("http://" + listener_->address());
  }

  void UseTls() {
    const TestCertificate own = MakeTestCertificate();
    const TlsOptions files = {
        .cert = directory_.Write("cert.pem", own.certificate),
        .key = directory_.Write("key.pem", own.private_key)};
    chmod(files.key.c_str(), 0600);
    auto loaded = TlsCertificates::Load(files, Clock::Real());
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    certificates_ = *std::move(loaded);
    security_.certificates = certificates_.get();
  }

  const TempDirectory directory_;
  std::unique_ptr<TlsCertificates> certificates_;
  const std::unique_ptr<CallLog> log_ = *CallLog::Open({}, Clock::Real());
  AccessControl access_{*AccessPolicy::Create({}, std::nullopt), log_.get(),
                        Clock::Real()};
  ServerMetrics metrics_;
  ListenerSecurity security_;
  HeldAnswer held_;
  KeptRequest kept_;
  std::unique_ptr<HttpListener> listener_;
  std::unique_ptr<httplib::Client> http_;
};

TEST_F(HttpListenerTest, AnswersItsPathsAlone) {
  Listen();
  const auto page = http_->Get("/metrics");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_THAT(page->body, HasSubstr("# TYPE slice_"));
  EXPECT_EQ(http_->Get("/")->status, 404);
  EXPECT_EQ(http_->Get("/metrics/../text")->status, 404);
  const auto post = http_->Post("/metrics");
  EXPECT_EQ(post->status, 405);
  EXPECT_EQ(post->get_header_value("Allow"), "GET, HEAD");
}

TEST_F(HttpListenerTest, ACallerWithoutTheRoleIsToldWhatItLacks) {
  security_.local = false;
  Listen();
  const auto page = http_->Get("/metrics");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 401);
  EXPECT_EQ(page->get_header_value("WWW-Authenticate"), "Bearer");
  EXPECT_THAT(page->body, HasSubstr("lacks the role 'metrics'"));
}

TEST_F(HttpListenerTest, OneConnectionAsksManyTimes) {
  Listen();
  http_->set_keep_alive(true);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(http_->Get("/text")->status, 200);
    const auto echo = http_->Post("/echo?a=b", std::string(1000 * i, 'x'),
                                  "application/json");
    EXPECT_EQ(echo->body, "POST a=b " + std::to_string(1000 * i) + "\n");
  }
  EXPECT_LE(listener_->listener().connections(), 1u);
}

TEST_F(HttpListenerTest, ANameOfAnotherSiteIsRefusedOnTheLoopback) {
  Listen();
  for (const char* own :
       {"localhost", "127.0.0.1:80", "[::1]:8080", "slice.localhost:1"}) {
    EXPECT_EQ(http_->Get("/text", {{"Host", own}})->status, 200) << own;
  }
  for (const char* other : {"evil.example", "localhost.evil.example:80",
                            "127.evil.example", "[::2]"}) {
    EXPECT_EQ(http_->Get("/text", {{"Host", other}})->status, 421) << other;
  }
}

TEST_F(HttpListenerTest, HeadHasNoBody) {
  Listen();
  const auto head = http_->Head("/text");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->get_header_value("Content-Length"), "5001");
}

TEST_F(HttpListenerTest, CompressesForThoseWhoAsk) {
  Listen();
  const auto packed = http_->Get("/text", {{"Accept-Encoding", "gzip"}});
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->get_header_value("Content-Encoding"), "gzip");
  EXPECT_LT(std::stoi(packed->get_header_value("Content-Length")), 200);
  EXPECT_EQ(packed->body, std::string(5000, 'x') + "\n");
}

TEST_F(HttpListenerTest, WhatACallerHasIsNotSentAgain) {
  Listen();
  const auto again = http_->Get("/text", {{"If-None-Match", "\"5000\""}});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->status, 304);
  EXPECT_EQ(again->body, "");
}

TEST_F(HttpListenerTest, RefusesBodiesUnread) {
  Listen();
  const std::string post = "POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  for (const auto& [headers, status] :
       std::vector<std::pair<std::string, std::string>>{
           {"Content-Length: 100001\r\n\r\n", "HTTP/1.1 413"},
           {"Content-Length: 99999999999999999999\r\n\r\n", "HTTP/1.1 400"},
           {"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "HTTP/1.1 411"},
           {"Content-Encoding: gzip\r\nContent-Length: 9\r\n\r\n",
            "HTTP/1.1 415"}}) {
    RawClient client(listener_->address());
    client.Send(post + headers);
    EXPECT_THAT(client.ReadAll(), StartsWith(status)) << headers;
  }
}

TEST_F(HttpListenerTest, AnOtherEndThatStillSendsGetsItsRefusal) {
  Listen();
  RawClient client(listener_->address());
  client.Send(
      "POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: "
      "900000\r\n\r\n");
  client.Send(std::string(900000, 'x'));
  EXPECT_THAT(client.ReadAll(), StartsWith("HTTP/1.1 413"));
}

TEST_F(HttpListenerTest, HeadersAreBounded) {
  Listen();
  RawClient client(listener_->address());
  client.Send("GET /text HTTP/1.1\r\nHost: " + std::string(20000, 'x'));
  EXPECT_THAT(client.ReadAll(), StartsWith("HTTP/1.1 431"));
}

TEST_F(HttpListenerTest, AnnouncedBodiesAreAskedFor) {
  Listen();
  RawClient client(listener_->address());
  client.Send(
      "POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n"
      "Expect: 100-continue\r\nConnection: close\r\n\r\n");
  std::thread later([&] { client.Send("ab"); });
  const std::string answer = client.ReadAll();
  later.join();
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 100"));
  EXPECT_THAT(answer, HasSubstr("POST  2\n"));
}

TEST_F(HttpListenerTest, WorkForACallerThatLeftIsCancelled) {
  Listen();
  RawClient client(listener_->address());
  client.Send(kAskHeld);
  held_.Asked().wait();
  client.Close();
  held_.ExpectCancelled();
}

TEST_F(HttpListenerTest, WorkForACallerThatLeftOverTlsIsCancelled) {
  UseTls();
  Listen();
  TlsClient client(listener_->address());
  client.Send(kAskHeld);
  held_.Asked().wait();
  client.Leave();
  held_.ExpectCancelled();
}

// Nobody reads this byte before the answer is written.
TEST_F(HttpListenerTest, WorkForACallerThatLeftAnUnreadByteIsCancelled) {
  Listen();
  RawClient client(listener_->address());
  client.Send(kAskHeld);
  held_.Asked().wait();
  client.Send("G");
  client.Close();
  held_.ExpectCancelled();
}

TEST_F(HttpListenerTest, ARequestThatWaitsForAnotherCancelsNothing) {
  Listen();
  RawClient client(listener_->address());
  client.Send(kAskHeld);
  held_.Asked().wait();
  auto cancelled = held_.Cancelled();
  client.Send(
      "GET /text HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(http_->Get("/text")->status, 200);
  held_.Give(PlainAnswer(200, "whole"));
  const std::string answers = client.ReadAll();
  EXPECT_THAT(answers, HasSubstr("whole"));
  EXPECT_THAT(answers, HasSubstr(std::string(5000, 'x')));
  EXPECT_EQ(cancelled.wait_for(std::chrono::seconds(0)),
            std::future_status::timeout);
}

TEST_F(HttpListenerTest, ARequestHoldsNoMoreThanItsHostMay) {
  Listen();
  for (int i = 0; i < 3; ++i) {  // each gives back what it held
    EXPECT_EQ(http_->Get("/hold?1")->body, "held\n");
    EXPECT_EQ(http_->Get("/hold?100000000")->body, "held\n");
    EXPECT_EQ(http_->Get("/hold?200000000")->body, "full\n");
  }
}

// Their last holder is this thread, while others come. A sanitizer of threads
// sees what is shared.
TEST_F(HttpListenerTest, ConnectionsEndOnTheThreadOfTheListener) {
  Listen();
  for (int i = 0; i < 100; ++i) {
    httplib::Client(("http://" + listener_->address())).Get("/keep");
    http_->Get("/text");
    kept_.Release();
    RawClient(listener_->address()).Close();
  }
  EXPECT_EQ(http_->Get("/text")->status, 200);
}

TEST_F(HttpListenerTest, IdleConnectionsHoldUpNobody) {
  Listen();
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 100; ++i) {
    slow.push_back(std::make_unique<RawClient>(listener_->address()));
    slow.back()->Send("GET /text HT");
  }
  EXPECT_EQ(http_->Get("/text")->status, 200);
}

TEST_F(HttpListenerTest, StopWaitsForAnswersAndNotForTheIdle) {
  Listen();
  RawClient idle(listener_->address()), busy(listener_->address());
  busy.Send("GET /held HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  held_.Asked().wait();
  std::thread stop([&] { listener_->Stop(absl::Minutes(1)); });
  EXPECT_EQ(idle.ReadAll(), "");
  held_.Give(PlainAnswer(200, "whole"));
  EXPECT_THAT(busy.ReadAll(), HasSubstr("whole"));
  stop.join();
}

TEST_F(HttpListenerTest, StopEndsAtItsLimit) {
  Listen();
  RawClient busy(listener_->address());
  busy.Send("GET /held HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  held_.Asked().wait();
  listener_->Stop(absl::Milliseconds(50));
  listener_.reset();
  held_.Give(PlainAnswer(200, "too late"));
}

TEST_F(HttpListenerTest, AnAddressInUseIsRefused) {
  Listen();
  EXPECT_EQ(HttpListener::Listen(listener_->address(), security_, 10, {})
                .status()
                .code(),
            absl::StatusCode::kUnavailable);
}

}  // namespace
}  // namespace slice
