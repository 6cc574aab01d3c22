// The JSON API of a server with a fake model, over loopback.
#include "server/http/json_api.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/json_util.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <algorithm>
#include <future>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "server/http/json_messages.h"
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
