#include "client/commands/recommend_command.h"

#include <sstream>
#include <string>

#include "absl/strings/str_split.h"
#include "common/text_width.h"
#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "tests/client/test_client.h"
#include "tests/testing/fake_link_server.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class RecommendCommandTest : public testing::Test {
 protected:
  RecommendCommandTest() {
    options_.query.known.text = "curl";
    options_.query.relation = "tagged";
  }

  int Run(bool terminal = false, size_t width = 80) {
    std::ostringstream results, messages;
    TextStyle style;
    style.terminal = terminal;
    style.width = width;
    const int status = RunRecommend(*Connected(client_), options_,
                                    {results, messages, style, json_});
    results_ = results.str();
    messages_ = messages.str();
    return status;
  }

  FakeLinkServer server_;
  const TempDirectory directory_;
  LinkClient::Options client_ = OptionsFor(server_);
  RecommendOptions options_;
  bool json_ = false;
  std::string results_, messages_;
};

TEST_F(RecommendCommandTest, AsksWhatTheOptionsSay) {
  options_.query.known_is_source = false;
  options_.query.known.exact_key = true;
  options_.query.k = 2;
  options_.query.type = "package";
  options_.query.include_existing = true;
  client_.scorer = "ends";
  options_.candidates_path = directory_
                                 .Write("nodes",
                                        "\xEF\xBB\xBF"
                                        "a\n\n b \n")
                                 .string();
  ASSERT_EQ(Run(), 0) << messages_;
  const v1::RecommendLinksRequest request = server_.last_recommend_request();
  ExpectTwoPackagesOfCurl(request);
  EXPECT_EQ(request.scorer(), "ends");
  ASSERT_EQ(request.candidates_size(), 2);
  EXPECT_EQ(request.candidates(0).key(), "a");
  EXPECT_EQ(request.candidates(1).key(), "b");
}

TEST_F(RecommendCommandTest, DrawsATableWithPathsOnATerminal) {
  ASSERT_EQ(Run(true), 0) << messages_;
  EXPECT_THAT(results_, StartsWith("rank  node"));
  EXPECT_THAT(results_, HasSubstr("   1  role::program  +2.5000"));
  EXPECT_THAT(results_, HasSubstr("   3  role::program  +0.5000"));
  EXPECT_THAT(results_, HasSubstr("\n      curl ── depends ─▶ libcurl4"));
  EXPECT_EQ(messages_, "");
}

TEST_F(RecommendCommandTest, SaysHowToReadTheTable) {
  ASSERT_EQ(Run(true, 200), 0) << messages_;
  EXPECT_THAT(results_, HasSubstr("need not fall from row to row"));
  EXPECT_THAT(results_, HasSubstr("a link from 0.4100 on, the threshold of "
                                  "tagged"));
}

TEST_F(RecommendCommandTest, AnErrorOfAChangeNamesItsFlag) {
  options_.what_if.with_node = {"Ann"};
  options_.what_if.with = {"curl depends Ann", "curl depends Zoe"};
  server_.FailNext({grpc::Status(grpc::StatusCode::NOT_FOUND,
                                 "what_if.changes[2].add_link.target: no node "
                                 "has the key or name 'Zoe'; did you mean "
                                 "'Joe'?")});
  EXPECT_EQ(Run(), 64 + 5);
  EXPECT_EQ(messages_,
            "error: NOT_FOUND: --with 'curl depends Zoe': no node has the key "
            "or name 'Zoe'; add it with --with-node Zoe\n"
            "did you mean: 'Joe'\n");
}

TEST_F(RecommendCommandTest, PathsAreWrappedAndNotCut) {
  constexpr size_t kWidth = 58;
  ASSERT_EQ(Run(true, kWidth), 0) << messages_;
  for (const auto line : absl::StrSplit(results_, '\n')) {
    EXPECT_LE(DisplayWidth({line.data(), line.size()}), kWidth) << line;
    EXPECT_EQ(line.find("…"), std::string::npos) << line;
  }
}

TEST_F(RecommendCommandTest, WritesLinesForPrograms) {
  ASSERT_EQ(Run(), 0) << messages_;
  EXPECT_THAT(results_,
              StartsWith("1\trole::program\t+2.5000\t0.973100007\tcurl "));
}

TEST_F(RecommendCommandTest, WritesJson) {
  json_ = true;
  options_.query.type = "late";
  ASSERT_EQ(Run(), 0) << messages_;
  const auto json = nlohmann::json::parse(results_);
  EXPECT_EQ(json["recommendations"].size(), 3u);
  const auto& first = json["recommendations"][0];
  EXPECT_EQ(first["rank"], 1);
  EXPECT_EQ(first["node"]["key"], "role::program");
  EXPECT_EQ(first["score"], 2.5);
  EXPECT_EQ(first["metapath"][1]["relation"], "depends");
  EXPECT_EQ(first["metapath"][1]["direction"], "OUT");
  EXPECT_EQ(json["best_so_far"], true);
  EXPECT_EQ(json["candidate_count"], 5);
  EXPECT_EQ(json["bundle_id"], "toy");
  EXPECT_THAT(messages_, HasSubstr("best so far"));
}

TEST_F(RecommendCommandTest, SaysThatNothingIsLeft) {
  options_.query.type = "none";
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(results_, "");
  EXPECT_THAT(messages_, HasSubstr("no node is left"));
}

TEST_F(RecommendCommandTest, RefusesRanksOutOfOrder) {
  options_.query.type = "mixed";
  EXPECT_EQ(Run(), 64 + 13);
  EXPECT_THAT(messages_, HasSubstr("rank 2 after rank 0"));
}

TEST_F(RecommendCommandTest, TellsTheErrorOfTheServer) {
  server_.FailNext({grpc::Status(grpc::StatusCode::NOT_FOUND, "no such node")});
  EXPECT_EQ(Run(), 64 + 5);
  EXPECT_THAT(messages_, HasSubstr("no such node"));
}

TEST_F(RecommendCommandTest, TriesAgainWhileTheServerIsFull) {
  server_.FailNext(
      {grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "too many")});
  EXPECT_EQ(Run(), 0) << messages_;
}

TEST_F(RecommendCommandTest, RefusesAFileWithoutNodes) {
  options_.candidates_path = directory_.Write("nodes", " \n").string();
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(messages_, HasSubstr("names no node"));
  options_.candidates_path = (directory_ / "absent").string();
  EXPECT_EQ(Run(), 1);
}

}  // namespace
}  // namespace slice
