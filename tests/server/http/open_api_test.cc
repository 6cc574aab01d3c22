#include "server/http/open_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "server/http/http_rules.h"
#include "slice/v1/graph.grpc.pb.h"
#include "slice/v1/graph_update.grpc.pb.h"
#include "slice/v1/link_prediction.grpc.pb.h"

namespace slice {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const std::vector<std::string> kServices = {
    v1::LinkPredictionService::service_full_name(),
    v1::GraphService::service_full_name(),
    v1::GraphUpdateService::service_full_name()};

json Document() { return json::parse(OpenApiDocument(kServices)); }

TEST(OpenApiTest, HasEveryPathOfTheContract) {
  const json document = Document();
  size_t rules = 0;
  for (const std::string& service : kServices) {
    for (const HttpRule& rule : HttpRulesOf(service)) {
      ++rules;
      const std::string verb = rule.verb == "GET" ? "get" : "post";
      EXPECT_EQ(document["paths"][rule.path][verb]["operationId"],
                rule.method->name());
    }
  }
  EXPECT_EQ(document["paths"].size(), rules);
}

TEST(OpenApiTest, EveryReferenceIsThere) {
  const json document = Document();
  size_t references = 0;
  const std::function<void(const json&)> check = [&](const json& part) {
    if (part.is_object() && part.contains("$ref")) {
      ++references;
      const std::string to = part["$ref"].get<std::string>().substr(1);
      EXPECT_TRUE(document.contains(json::json_pointer(to))) << to;
    }
    if (!part.is_structured()) return;
    for (const json& inner : part) check(inner);
  };
  check(document);
  EXPECT_GT(references, 50u);
}

TEST(OpenApiTest, TellsWhatTheContractTells) {
  const json document = Document();
  const json& schemas = document["components"]["schemas"];
  const json& result = schemas["slice.v1.LinkResult"]["properties"];
  EXPECT_EQ(result["probability"]["type"], "number");
  EXPECT_THAT(result["probability"]["description"].get<std::string>(),
              HasSubstr("Calibrated probability"));
  EXPECT_EQ(schemas["slice.v1.PredictLinksResponse"]["properties"]
                   ["graph_version"]["type"],
            "string");
  const json& parameters =
      document["paths"]["/v1/neighbors"]["get"]["parameters"];
  EXPECT_EQ(parameters[0]["name"], "node.key");
  EXPECT_EQ(document["paths"]["/v1/links:recommend"]["post"]["responses"]["200"]
                    ["content"]["application/json"]["schema"]["type"],
            "array");
}

}  // namespace
}  // namespace slice
