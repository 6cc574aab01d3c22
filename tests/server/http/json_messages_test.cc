#include "server/http/json_messages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "server/http/query_fields.h"
#include "slice/v1/graph.pb.h"
#include "slice/v1/link_prediction.pb.h"

namespace slice {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string ErrorOf(const std::string& json) {
  v1::PredictLinksRequest request;
  const absl::Status status = ParseJson(json, &request);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << json;
  return std::string(status.message());
}

std::string QueryErrorOf(const std::string& query) {
  v1::GetNeighborsRequest request;
  const absl::Status status = ParseQuery(query, &request);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << query;
  return std::string(status.message());
}

TEST(JsonMessagesTest, ReadsNamesOfTheContractAndOfJson) {
  for (const char* name : {"explanation_level", "explanationLevel"}) {
    v1::PredictLinksRequest request;
    const std::string json = std::string(R"({"links": [{"source": {"key":
        "curl"}, "relation": "depends", "target": {"key": "libssl3"}}], ")") +
                             name + R"(": "EXPLANATION_LEVEL_FULL"})";
    ASSERT_TRUE(ParseJson(json, &request).ok());
    EXPECT_EQ(request.links(0).source().key(), "curl");
    EXPECT_EQ(request.explanation_level(), v1::EXPLANATION_LEVEL_FULL);
  }
}

TEST(JsonMessagesTest, AnErrorNamesThePlace) {
  EXPECT_EQ(ErrorOf(R"({"links": [{"sorce": {}}]})"),
            "links[0]: there is no field 'sorce'; did you mean 'source'?");
  EXPECT_THAT(ErrorOf(R"({"lnks": []})"),
              HasSubstr("there is no field 'lnks'; did you mean 'links'"));
  EXPECT_THAT(ErrorOf(R"({"links": [{"source": "curl"}]})"),
              AllOf(HasSubstr("links[0].source: "), HasSubstr("curl"),
                    HasSubstr("write {\"key\": ...}")));
  EXPECT_THAT(ErrorOf(R"({"links": [{"source": {"key": "a", "name": "b"}}]})"),
              HasSubstr("links[0].source: only one may be given of 'key', "
                        "'name'"));
  EXPECT_EQ(ErrorOf(R"({"explanation_level": "LOUD"})"),
            "explanation_level: 'LOUD' does not fit; it is one of "
            "EXPLANATION_LEVEL_NONE, EXPLANATION_LEVEL_CONTEXT, "
            "EXPLANATION_LEVEL_FULL");
  EXPECT_EQ(ErrorOf(R"({"prior": "much"})"),
            "prior: 'much' does not fit; write a number");
  EXPECT_EQ(ErrorOf(R"({"links": [{"relation": 5}]})"),
            "links[0].relation: '5' does not fit; write a text in quotes");
  EXPECT_EQ(ErrorOf(R"({"min_graph_version": -1})"),
            "min_graph_version: '-1' does not fit; write a whole number in its "
            "range");
  EXPECT_THAT(ErrorOf(R"({"model": "a", "model": "b"})"),
              HasSubstr("the key 'model' comes twice"));
  // Protobuf's parser would pass over it, and answers would change places.
  EXPECT_EQ(ErrorOf(R"({"links": [{"relation": "a"}, null]})"),
            "the list 'links' holds null; leave it out");
  v1::PredictLinksRequest request;
  EXPECT_TRUE(ParseJson(R"({"links": null})", &request).ok());
  EXPECT_TRUE(ParseJson(R"({"links": [{"relation": null}]})", &request).ok());
  EXPECT_THAT(ErrorOf(R"({"links": )"), HasSubstr("no JSON, at byte "));
  EXPECT_THAT(ErrorOf(R"({"links": )"), Not(HasSubstr("json.exception")));
  EXPECT_THAT(ErrorOf("{\"model\": \"\xff\"}"), HasSubstr("no JSON"));
  EXPECT_THAT(ErrorOf(R"({"prior": NaN})"), HasSubstr("no JSON"));
  for (const char* other : {"", "[]", "7", "null", "\"text\""}) {
    ErrorOf(other);
  }
}

TEST(JsonMessagesTest, DepthIsBounded) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += R"({"what_if":)";
  EXPECT_THAT(ErrorOf(deep), HasSubstr("nested deeper than 64 times"));
  EXPECT_THAT(ErrorOf(R"({"links": )" + std::string(100000, '[')),
              HasSubstr("nested deeper than 64 times"));
}

std::string ListOf(int elements, const std::string& element) {
  std::string list = "[";
  for (int i = 0; i < elements; ++i) {
    list += i > 0 ? "," + element : element;
  }
  return list + "]";
}

// Nothing is made of them.
TEST(JsonMessagesTest, ListsAreBounded) {
  EXPECT_EQ(ErrorOf(R"({"links": )" + ListOf(1025, "{}") + "}"),
            "links: holds 1025 links, at most 1024 are allowed");
  EXPECT_EQ(ErrorOf(R"({"links": )" + ListOf(1300000, "{}") + "}"),
            "links: holds more than 8192 links, at most 1024 are allowed");
  EXPECT_EQ(ErrorOf(R"({"whatIf": {"changes": )" + ListOf(65, "{}") + "}}"),
            "what_if.changes: holds 65 changes, at most 64 are allowed");
  EXPECT_EQ(ErrorOf(R"({"model": )" + ListOf(1001, "[]") + "}"),
            "the list 'model' holds more than 1000 elements");
  EXPECT_EQ(ErrorOf(R"({"links": [{"source": )" + ListOf(1001, "7") + "}]}"),
            "the list 'source' holds more than 1000 elements");
  v1::RecommendLinksRequest request;
  EXPECT_TRUE(
      ParseJson(R"({"candidates": )" + ListOf(10000, R"({"key": "a"})") + "}",
                &request)
          .ok());
  EXPECT_EQ(request.candidates_size(), 10000);
}

TEST(JsonMessagesTest, KeysOfAnObjectAreBounded) {
  std::string object = R"({"k": 0)";
  for (int i = 0; i < 64; ++i) {
    object += R"(, "k)" + std::to_string(i) + R"(": 0)";
  }
  EXPECT_EQ(ErrorOf(object + "}"), "an object has more than 64 keys");
}

TEST(JsonMessagesTest, LongTextsAreCutInErrors) {
  const std::string text(3 << 20, 'x');
  for (const std::string& json :
       {"{\"" + text + "\": 1}", "{\"links\": [{\"" + text + "\": 1}]}",
        "{\"prior\": \"" + text + "\"}", "{\"links\": \"" + text + "\"}",
        "{\"explanation_level\": \"" + text + "\"}",
        "{\"links\": [{\"source\": \"" + text + "\"}]}",
        "{\"model\": \"" + text + "\", \"model\": \"" + text + "\"}",
        "{\"model\": " + text + "}", "{\"" + text + "\" 1}"}) {
    EXPECT_LT(ErrorOf(json).size(), 1000u) << json.substr(0, 40);
  }
}

TEST(JsonMessagesTest, WritesEveryFieldByItsNameInTheContract) {
  v1::PredictLinksResponse response;
  response.set_graph_version(1234567890123456789);
  response.add_results()->set_probability(0.5);
  const std::string json = ToJson(response);
  EXPECT_THAT(json, HasSubstr(R"("graph_version":"1234567890123456789")"));
  EXPECT_THAT(json, HasSubstr(R"("probability":0.5)"));
  EXPECT_THAT(json, HasSubstr(R"("decision":false)"));
}

TEST(JsonMessagesTest, AQueryHasTheFields) {
  v1::GetNeighborsRequest request;
  ASSERT_TRUE(ParseQuery("node.name=C%2B%2B+tools&page_size=5&"
                         "direction=DIRECTION_IN&relation=",
                         &request)
                  .ok());
  EXPECT_EQ(request.node().name(), "C++ tools");
  EXPECT_EQ(request.page_size(), 5);
  EXPECT_EQ(request.direction(), v1::DIRECTION_IN);
  EXPECT_TRUE(ParseQuery("", &request).ok());
  request.Clear();
  ASSERT_TRUE(ParseQuery("pageSize=6", &request).ok());
  EXPECT_EQ(request.page_size(), 6);
}

TEST(JsonMessagesTest, AWrongQueryNamesTheField) {
  EXPECT_THAT(QueryErrorOf("nodes=1"), HasSubstr("'nodes'"));
  EXPECT_THAT(QueryErrorOf("page_size=many"),
              HasSubstr("'many' is no value of type int32"));
  EXPECT_THAT(QueryErrorOf("page_size=99999999999"), HasSubstr("page_size"));
  EXPECT_THAT(QueryErrorOf("direction=UP"), HasSubstr("DIRECTION_OUT"));
  EXPECT_THAT(QueryErrorOf("node=curl"),
              HasSubstr("name one of its fields: key, name, type"));
  EXPECT_THAT(QueryErrorOf("relation.x=1"), HasSubstr("it has no fields"));
  EXPECT_THAT(QueryErrorOf("model=a&model=b"), HasSubstr("comes twice"));
  EXPECT_THAT(QueryErrorOf("page_size=1&pageSize=2"), HasSubstr("comes twice"));
  EXPECT_THAT(QueryErrorOf("node.name=x&node.key=y"),
              HasSubstr("only one may be given of 'key' and 'name'"));
  EXPECT_THAT(QueryErrorOf("model=%zz"), HasSubstr("two hex digits"));
  EXPECT_THAT(QueryErrorOf("model=%ff"),
              HasSubstr("query field 'model': its value is no UTF-8"));
}

}  // namespace
}  // namespace slice
