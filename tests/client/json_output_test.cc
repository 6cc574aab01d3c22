#include "client/json_output.h"

#include <cmath>
#include <string>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/client/test_client.h"

namespace slice {
namespace {

using nlohmann::json;

const LinkQuery kQuery = {{"curl"}, "tagged", {"role::program"}};

TEST(JsonOutputTest, IsOneLine) {
  const std::string text = ToJson(kQuery, "", ToyScoredLink(), {"toy", 7});
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(JsonOutputTest, HasScoresAndStatus) {
  const json object =
      json::parse(ToJson(kQuery, "1", ToyScoredLink(), {"toy", 7}));
  EXPECT_EQ(object["query"]["source"], "curl");
  EXPECT_EQ(object["label"], 1);
  EXPECT_EQ(object["status"]["code"], "OK");
  EXPECT_EQ(object["target"]["type"], "debtag");
  EXPECT_EQ(object["probability"].get<float>(), 0.9731f);
  EXPECT_EQ(object["logit_structural"].get<float>(), 2.9f);
  EXPECT_EQ(object["logit_context"].get<float>(), 0.68f);
  EXPECT_EQ(object["decision"], true);
  EXPECT_EQ(object["bundle_id"], "toy");
  EXPECT_EQ(object["graph_version"], 7);
}

TEST(JsonOutputTest, WritesFloatsInTheirShortForm) {
  EXPECT_NE(ToJson(kQuery, "", ToyScoredLink(), {})
                .find("\"probability\":0.973100007,"),
            std::string::npos);
}

TEST(JsonOutputTest, NestsAttentionAsItIsIndexed) {
  const json explanation =
      json::parse(ToJson(kQuery, "", ToyScoredLink(), {}))["explanation"];
  EXPECT_EQ(explanation["attention"][0][0][1][3], 0.25);
  EXPECT_EQ(explanation["attention"][0][0].size(), 4);
  EXPECT_EQ(explanation["token_cosines"].size(), 2);
  EXPECT_EQ(explanation["token_cosines"][1][0], json({1, 0.75}));
  EXPECT_EQ(explanation["metapath"][2]["direction"], "IN");
  EXPECT_FALSE(explanation["metapath"][0].contains("relation"));
  EXPECT_EQ(explanation["tokens"][1]["role"], "TARGET");
  EXPECT_EQ(explanation["pair_features"]["common_neighbours"], -1.5);
}

TEST(JsonOutputTest, WritesEachOfSeveralContexts) {
  json explanation =
      json::parse(ToJson(kQuery, "", ToyScoredLink(), {}))["explanation"];
  EXPECT_EQ(explanation["contexts"], json::array());
  EXPECT_EQ(explanation["context_pooling"], "");
  explanation =
      json::parse(ToJson(kQuery, "", ToyContextsLink(), {}))["explanation"];
  EXPECT_EQ(explanation["context_pooling"], "mean");
  ASSERT_EQ(explanation["contexts"].size(), 2);
  const json& second = explanation["contexts"][1];
  EXPECT_EQ(second["logit"].get<float>(), 2.58f);
  EXPECT_EQ(second["probability"].get<float>(), 0.93f);
  EXPECT_EQ(second["tokens"][3]["node"]["key"], "wget");
  EXPECT_EQ(second["tokens"][3]["attention_from_source"], 0.75);
  EXPECT_FALSE(second["tokens"][3].contains("logit_effect"));
  EXPECT_EQ(second["edges"], explanation["edges"]);
  EXPECT_EQ(second["attention"][0][0][1][3], 0.25);
}

TEST(JsonOutputTest, WritesPathsInPlaceOfNodes) {
  const json explanation =
      json::parse(ToJson(kQuery, "", ToyPathLink(), {}))["explanation"];
  const json& token = explanation["tokens"][3];
  EXPECT_EQ(token["kind"], "PATH");
  EXPECT_FALSE(token.contains("node"));
  EXPECT_EQ(token["path_count"], 1234);
  EXPECT_EQ(token["path"][1]["relation"], "depends");
  EXPECT_EQ(token["path"][1]["direction"], "IN");
  EXPECT_EQ(token["path"][1]["node"]["key"], "wget");
  EXPECT_EQ(token["attention_from_source"], 0.5);
  EXPECT_FALSE(explanation["tokens"][0].contains("path"));
  EXPECT_EQ(explanation["metapath"][1]["node"]["key"], "libcurl4");
  EXPECT_EQ(explanation["metapath_count"], 1234);
  EXPECT_EQ(explanation["pair_feature_contributions"]["three_paths"], 1.25);
}

TEST(JsonOutputTest, WritesBothAnswersAndTheScorer) {
  ScoredLink link = ToyScoredLink();
  link.scorer = "ends";
  const json object = json::parse(ToJson(kQuery, "", link, {}));
  EXPECT_EQ(object["probability_among_kind"], 0.8125);
  EXPECT_EQ(object["scorer"], "ends");
}

TEST(JsonOutputTest, AFailedLinkHasNoScores) {
  ScoredLink link;
  link.status = absl::NotFoundError("no node");
  const json object = json::parse(ToJson(kQuery, "", link, {}));
  EXPECT_EQ(object["status"]["code"], "NOT_FOUND");
  EXPECT_EQ(object["status"]["message"], "no node");
  EXPECT_FALSE(object.contains("probability"));
  EXPECT_FALSE(object.contains("label"));
}

TEST(JsonOutputTest, WhatIsNoNumberIsNull) {
  ScoredLink link = ToyScoredLink();
  link.logit = std::nanf("");
  EXPECT_TRUE(json::parse(ToJson(kQuery, "", link, {}))["logit"].is_null());
}

TEST(JsonOutputTest, SurvivesNamesThatAreNotUtf8) {
  FoundNodes list;
  list.nodes.push_back({"k", "a\xFFz", "t"});
  EXPECT_EQ(json::parse(ToJson(list))["nodes"][0]["name"], "a\uFFFDz");
}

TEST(JsonOutputTest, WritesLists) {
  FoundNeighbors neighbors;
  neighbors.node = {"curl", "curl", "package"};
  neighbors.neighbors = {{{"wget", "", ""}, "depends", ArcDirection::kIn}};
  neighbors.total = 5;
  json object = json::parse(ToJson(neighbors));
  EXPECT_EQ(object["neighbors"][0]["direction"], "IN");
  EXPECT_EQ(object["total"], 5);

  RelationList relations;
  relations.relations = {{"tagged", 9, {"package"}, {"debtag"}}};
  object = json::parse(ToJson(relations));
  EXPECT_EQ(object["relations"][0]["links"], 9);

  object =
      json::parse(ToJson("slice.v1.GraphService", ServingState::kNotServing));
  EXPECT_EQ(object["status"], "NOT_SERVING");
}

TEST(JsonOutputTest, RecommendationsCarryTheirFlags) {
  RecommendedNodes list;
  RecommendedNode& node = list.nodes.emplace_back();
  node.flags.cold_source = true;
  node.flags.notes = {"curl has no link in the graph"};
  const json object = json::parse(ToJson(list));
  const json& flags = object["recommendations"][0]["flags"];
  EXPECT_EQ(flags["cold_source"], true);
  EXPECT_EQ(flags["notes"][0], "curl has no link in the graph");
}

}  // namespace
}  // namespace slice
