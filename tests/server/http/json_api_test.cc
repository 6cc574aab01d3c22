// The JSON API of a server with a fake model, over loopback.
#include "server/http/json_api.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/json_util.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "server/http/json_messages.h"
#include "server/transport/memory_shares.h"
#include "tests/server/test_server.h"

namespace slice {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

ServerOptions WithHttp() {
  ServerOptions options = TestServerOptions();
  options.http_listen = "127.0.0.1:0";
  return options;
}

class JsonApiTest : public ::testing::Test {
 protected:
  JsonApiTest()
      : test_(WithHttp()), http_("http://" + test_.server->http_address()) {
    http_.set_read_timeout(30);
  }

  httplib::Result Post(const std::string& path, const std::string& body) {
    return http_.Post(path.c_str(), body, "application/json");
  }

  TestServer test_;
  httplib::Client http_;
};

constexpr char kLinks[] = R"({"links": [{"source": {"key": "curl"},
    "relation": "depends", "target": {"key": "libssl3"}}]})";

TEST_F(JsonApiTest, AnswersAsGrpcDoes) {
  test_.Serve();
  grpc::ClientContext context;
  v1::PredictLinksResponse by_grpc, by_json;
  ASSERT_TRUE(
      test_.links->PredictLinks(&context, CurlRequest(), &by_grpc).ok());
  const auto answer = Post("/v1/links:predict", kLinks);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->get_header_value("Content-Type"), "application/json");
  ASSERT_TRUE(ParseJson(answer->body, &by_json).ok()) << answer->body;
  EXPECT_EQ(by_json.SerializeAsString(), by_grpc.SerializeAsString());
}

TEST_F(JsonApiTest, ReadsTheFieldsOfAGetInItsQuery) {
  test_.Serve();
  const auto answer = http_.Get("/v1/neighbors?node.key=curl&page_size=1");
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->status, 200) << answer->body;
  const Json json = Json::parse(answer->body);
  EXPECT_EQ(json["node"]["key"], "curl");
  EXPECT_EQ(json["neighbors"].size(), 1u);
  EXPECT_NE(json["next_page_token"], "");
}

TEST_F(JsonApiTest, AnErrorIsAStatusInJson) {
  test_.Serve();
  const auto answer = http_.Get("/v1/neighbors?node.key=crul");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 404);
  const Json json = Json::parse(answer->body);
  EXPECT_EQ(json["code"], 5);
  EXPECT_THAT(json["message"].get<std::string>(), HasSubstr("crul"));
}

// Nor could it come from a page of another site, if it were answered.
TEST_F(JsonApiTest, ABodyOfAnotherTypeIsRefused) {
  test_.Serve();
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded"}) {
    const auto answer = http_.Post("/v1/links:predict", kLinks, type);
    ASSERT_TRUE(answer) << type;
    EXPECT_EQ(answer->status, 415) << type;
    EXPECT_THAT(answer->body, HasSubstr("application/json"));
  }
  for (const char* type : {"Application/JSON", "application/json; x=y"}) {
    const auto answer = http_.Post("/v1/links:predict", kLinks, type);
    ASSERT_TRUE(answer) << type;
    EXPECT_EQ(answer->status, 200) << type;
  }
}

// gRPC ends the process at metadata that it does not take.
TEST_F(JsonApiTest, AHeaderThatCannotBeMetadataIsRefused) {
  test_.Serve();
  for (const char* name : {"x-slice-subject", "traceparent", "slice-client"}) {
    for (const char* value : {"Bearer \xff", "a\tb", "caf\xc3\xa9"}) {
      const auto answer = http_.Post("/v1/links:predict", {{name, value}},
                                     kLinks, "application/json");
      ASSERT_TRUE(answer) << name;
      EXPECT_EQ(answer->status, 400) << name << answer->body;
      EXPECT_THAT(answer->body, HasSubstr(name));
    }
  }
  // No identity has such a token.
  const auto answer =
      http_.Post("/v1/links:predict", {{"authorization", "Bearer \xff"}},
                 kLinks, "application/json");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 401);
  EXPECT_EQ(Post("/v1/links:predict", kLinks)->status, 200);
}

// Keeps the metadata of the last call.
class MetadataService final : public v1::LinkPredictionService::Service {
 public:
  grpc::Status PredictLinks(grpc::ServerContext* context,
                            const v1::PredictLinksRequest*,
                            v1::PredictLinksResponse*) override {
    for (const auto& [name, value] : context->client_metadata()) {
      metadata[{name.data(), name.size()}] = {value.data(), value.size()};
    }
    return grpc::Status::OK;
  }
  std::map<std::string, std::string> metadata;
};

TEST(JsonApi, PassesOnTheTraceAndTheNameOfTheClient) {
  MetadataService service;
  grpc::ServerBuilder builder;
  builder.RegisterService(&service);
  const auto server = builder.BuildAndStart();
  JsonApi api(server->InProcessChannel({}), ListenerSecurity(), "client");
  const std::vector<HttpEndpoint> endpoints =
      api.Endpoints({v1::LinkPredictionService::service_full_name()});
  const auto endpoint =
      std::ranges::find(endpoints, "/v1/links:predict", &HttpEndpoint::path);
  ASSERT_NE(endpoint, endpoints.end());
  HttpRequest request;
  request.verb = "POST";
  request.path = endpoint->path;
  request.body = kLinks;
  request.headers = {{"content-type", "application/json"},
                     {"traceparent", "00-1-2-01"},
                     {"client", "importer"},
                     {"other", "kept back"}};
  std::promise<int> status;
  endpoint->answer(request, [&](const HttpAnswer& answer) {
    status.set_value(answer.status);
  });
  EXPECT_EQ(status.get_future().get(), 200);
  EXPECT_EQ(service.metadata["traceparent"], "00-1-2-01");
  EXPECT_EQ(service.metadata["client"], "importer");
  EXPECT_FALSE(service.metadata.contains("other"));
  server->Shutdown();
}

TEST_F(JsonApiTest, ABadRequestNamesTheField) {
  test_.Serve();
  const auto answer = Post("/v1/links:predict", R"({"link": []})");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 400);
  EXPECT_THAT(answer->body, HasSubstr("link"));
  EXPECT_EQ(Post("/v1/links:predict?model=a", kLinks)->status, 400);
  EXPECT_EQ(http_.Post("/v1/links:predict", kLinks, "text/plain")->status, 415);
}

TEST_F(JsonApiTest, BeforeAModelIsServedItIsUnavailable) {
  EXPECT_EQ(http_.Get("/healthz")->status, 200);
  EXPECT_EQ(http_.Get("/readyz")->status, 503);
  EXPECT_EQ(Post("/v1/links:predict", kLinks)->status, 503);
  test_.Serve();
  EXPECT_EQ(http_.Get("/readyz")->status, 200);
}

TEST_F(JsonApiTest, ATimeLimitHolds) {
  test_.Serve();
  test_.fake.scorer->Hold();
  const auto answer = http_.Post("/v1/links:predict", {{"Grpc-Timeout", "50m"}},
                                 kLinks, "application/json");
  test_.fake.scorer->Release();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 504);
}

TEST_F(JsonApiTest, ATimeLimitThatCannotBeReadIsRefused) {
  test_.Serve();
  for (const char* text : {"5", "5X", "-5S", "123456789S", "S", "1.5S"}) {
    const auto answer =
        http_.Post("/v1/links:predict", {{"Grpc-Timeout", text}}, kLinks,
                   "application/json");
    ASSERT_TRUE(answer) << text;
    EXPECT_EQ(answer->status, 400) << text;
    EXPECT_THAT(answer->body, HasSubstr(std::string("grpc-timeout: '") + text))
        << text;
  }
}

// Counts its calls, and answers them with `bytes` bytes after `open`.
class CountingService final : public v1::LinkPredictionService::Service {
 public:
  grpc::Status PredictLinks(grpc::ServerContext*,
                            const v1::PredictLinksRequest*,
                            v1::PredictLinksResponse* response) override {
    ++calls;
    if (open.valid()) open.wait();
    response->set_bundle_id(std::string(bytes, 'x'));
    return grpc::Status::OK;
  }
  std::atomic<int> calls = 0;
  std::shared_future<void> open;
  size_t bytes = 0;
};

// An API without a listener, whose workers a test can hold up.
class JsonApiWorkersTest : public ::testing::Test {
 protected:
  JsonApiWorkersTest() {
    grpc::ServerBuilder builder;
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    api_ = std::make_unique<JsonApi>(server_->InProcessChannel({}),
                                     ListenerSecurity(), "client");
    const std::vector<HttpEndpoint> endpoints =
        api_->Endpoints({v1::LinkPredictionService::service_full_name()});
    predict_ =
        *std::ranges::find(endpoints, "/v1/links:predict", &HttpEndpoint::path);
  }
  ~JsonApiWorkersTest() override { server_->Shutdown(); }

  static HttpRequest Request(std::string body) {
    HttpRequest request;
    request.body = std::move(body);
    return request;
  }

  // The status of the answer to come.
  std::future<int> Ask(HttpRequest request, HttpCancel* cancel = nullptr) {
    auto status = std::make_shared<std::promise<int>>();
    const HttpCancel of_request =
        predict_.answer(std::move(request), [status](const HttpAnswer& answer) {
          status->set_value(answer.status);
        });
    if (cancel != nullptr) *cancel = of_request;
    return status->get_future();
  }

  // Each worker gives an answer, which takes until ReleaseWorkers.
  void HoldWorkers() {
    for (int i = 0; i < 2; ++i) {
      std::promise<void> begun;
      predict_.answer(Request("{"), [&begun, free = free_](const HttpAnswer&) {
        begun.set_value();
        free.wait();
      });
      begun.get_future().wait();
    }
  }
  void ReleaseWorkers() { release_.set_value(); }

  CountingService service_;
  std::unique_ptr<grpc::Server> server_;
  std::promise<void> release_;
  const std::shared_future<void> free_{release_.get_future()};
  std::unique_ptr<JsonApi> api_;
  HttpEndpoint predict_;
};

TEST_F(JsonApiWorkersTest, ATimeLimitHoldsWhileNoWorkerIsFree) {
  HoldWorkers();
  HttpRequest request = Request(kLinks);
  request.headers = {{"grpc-timeout", "20m"}};
  auto status = Ask(std::move(request));
  const absl::Time over = absl::Now() + absl::Milliseconds(20);
  while (absl::Now() < over) std::this_thread::yield();
  ReleaseWorkers();
  EXPECT_EQ(status.get(), 504);
  EXPECT_EQ(service_.calls, 0);
}

TEST_F(JsonApiWorkersTest, ARequestWhoseCallerLeftIsNeitherReadNorBegun) {
  HoldWorkers();
  std::vector<std::future<int>> statuses;
  for (const char* body : {kLinks, "no JSON"}) {
    HttpCancel cancel;
    statuses.push_back(Ask(Request(body), &cancel));
    cancel();
  }
  ReleaseWorkers();
  for (auto& status : statuses) EXPECT_EQ(status.get(), 499);
  EXPECT_EQ(service_.calls, 0);
}

// Requests that take a share of `memory`, as those of a connection do.
struct CountedRequests {
  HttpRequest Next() {
    HttpRequest request;
    request.body = kLinks;
    auto* const share =
        shares.emplace_back(memory.Take("host", request.body.size())).get();
    request.hold = [this, share](size_t bytes) {
      const bool held = share->Resize(bytes);
      ++(held ? granted : refused);
      return held;
    };
    return request;
  }
  MemoryShares memory{8 << 20};
  std::vector<std::unique_ptr<MemoryShares::Share>> shares;
  std::atomic<int> granted = 0, refused = 0;
};

TEST_F(JsonApiWorkersTest, AnswersThatWaitForAWorkerCountAsMemory) {
  constexpr int kRequests = 12;
  std::promise<void> open;
  service_.open = open.get_future();
  service_.bytes = 1 << 20;
  CountedRequests requests;
  std::vector<std::future<int>> statuses;
  for (int i = 0; i < kRequests; ++i) {
    statuses.push_back(Ask(requests.Next()));
  }
  while (service_.calls < kRequests) std::this_thread::yield();
  HoldWorkers();
  open.set_value();
  while (requests.granted + requests.refused < kRequests) {
    std::this_thread::yield();
  }
  EXPECT_EQ(requests.granted, 3);  // in the half that a single host gets
  EXPECT_GE(requests.memory.taken(), size_t{3} << 20);
  EXPECT_LE(requests.memory.taken(), size_t{4} << 20);
  ReleaseWorkers();
  int answered = 0, full = 0;
  for (auto& status : statuses) {
    const int code = status.get();
    answered += code == 200;
    full += code == 503;
  }
  EXPECT_EQ(answered, 3);
  EXPECT_EQ(full, kRequests - 3);
  requests.shares.clear();
  EXPECT_EQ(requests.memory.taken(), 0u);
}

TEST_F(JsonApiTest, TheEndpointsAreThoseOfTheContract) {
  std::vector<std::string> found;
  for (const auto* service : {v1::LinkPredictionService::service_full_name(),
                              v1::GraphService::service_full_name()}) {
    for (const HttpRule& rule : HttpRulesOf(service)) {
      found.push_back(rule.verb + " " + rule.path);
    }
  }
  EXPECT_THAT(found, testing::ElementsAre(
                         "POST /v1/links:predict", "POST /v1/links:recommend",
                         "GET /v1/model", "GET /v1/relations", "GET /v1/nodes",
                         "GET /v1/neighbors"));
}

}  // namespace
}  // namespace slice
