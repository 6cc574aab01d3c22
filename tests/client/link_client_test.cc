#include "client/link_client.h"

#include <memory>
#include <string>
#include <vector>

#include "common/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/client/test_client.h"
#include "tests/testing/fake_link_server.h"

namespace slice {
namespace {

using absl::StatusCode;
using testing::ElementsAre;
using testing::HasSubstr;

class LinkClientTest : public testing::Test {
 protected:
  FakeLinkServer server_;
  std::unique_ptr<LinkClient> client_ = Connected(OptionsFor(server_));
};

TEST_F(LinkClientTest, ScoresLinksInOrder) {
  const std::vector<LinkQuery> links = {Query("curl", "depends", "libcurl4"),
                                        Query("wget", "depends", "libcurl4")};
  const auto scored = client_->PredictLinks(links);
  ASSERT_TRUE(scored.ok()) << scored.status();
  ASSERT_EQ(scored->links.size(), 2);
  EXPECT_EQ(scored->links[0].probability,
            FakeLinkServer::Probability("curl", "depends", "libcurl4"));
  EXPECT_EQ(scored->links[1].probability,
            FakeLinkServer::Probability("wget", "depends", "libcurl4"));
  EXPECT_EQ(scored->links[1].source.name, "wget");
  EXPECT_EQ(scored->from.bundle_id, "toy");
  EXPECT_EQ(scored->from.graph_version, 7);
}

TEST_F(LinkClientTest, KeepsALinksErrorApart) {
  const std::vector<LinkQuery> links = {Query("unknown", "depends", "wget"),
                                        Query("curl", "depends", "wget")};
  const auto scored = client_->PredictLinks(links);
  ASSERT_TRUE(scored.ok()) << scored.status();
  EXPECT_EQ(scored->links[0].status.code(), StatusCode::kNotFound);
  EXPECT_TRUE(scored->links[1].status.ok());
}

TEST_F(LinkClientTest, SendsNamesOrExactKeys) {
  LinkQuery link = Query("curl", "depends", "wget");
  link.target.exact_key = true;
  ASSERT_TRUE(client_->PredictLinks({&link, 1}).ok());
  const v1::LinkRef sent = server_.requests().at(0).links(0);
  EXPECT_EQ(sent.source().name(), "curl");
  EXPECT_EQ(sent.target().key(), "wget");
  EXPECT_EQ(sent.relation(), "depends");
}

TEST_F(LinkClientTest, SendsModelAndMetadata) {
  LinkClient::Options options = OptionsFor(server_);
  options.model = "other";
  options.connection.metadata = {{"x-team", "graphs"}};
  const LinkQuery link = Query("curl", "depends", "wget");
  ASSERT_TRUE(Connected(options)->PredictLinks({&link, 1}).ok());
  EXPECT_EQ(server_.requests().at(0).model(), "other");
  const auto metadata = server_.last_metadata();
  ASSERT_EQ(metadata.count("x-team"), 1);
  EXPECT_EQ(metadata.find("x-team")->second, "graphs");
}

TEST_F(LinkClientTest, ExplainsALink) {
  const auto scored =
      client_->ExplainLink(Query("curl", "tagged", "role::program"));
  ASSERT_TRUE(scored.ok()) << scored.status();
  ASSERT_EQ(scored->links.size(), 1);
  ASSERT_TRUE(scored->links[0].explanation.has_value());
  EXPECT_EQ(scored->links[0].explanation->tokens.size(), 4);
}

TEST_F(LinkClientTest, ExplainFailsWithTheLinksError) {
  EXPECT_EQ(
      client_->ExplainLink(Query("unknown", "tagged", "x")).status().code(),
      StatusCode::kNotFound);
}

TEST_F(LinkClientTest, ExplainRefusesAnAnswerWithoutReasons) {
  server_.SetEditAnswer([](v1::PredictLinksResponse* reply) {
    reply->mutable_results(0)->clear_explanation();
  });
  EXPECT_EQ(client_->ExplainLink(Query("curl", "tagged", "x")).status().code(),
            StatusCode::kInternal);
}

TEST_F(LinkClientTest, RefusesAnAnswerOfTheWrongLength) {
  server_.SetEditAnswer([](v1::PredictLinksResponse* reply) {
    reply->mutable_results()->RemoveLast();
  });
  const LinkQuery link = Query("curl", "depends", "wget");
  const auto scored = client_->PredictLinks({&link, 1});
  EXPECT_EQ(scored.status().code(), StatusCode::kInternal);
  EXPECT_THAT(std::string(scored.status().message()), HasSubstr("0 of 1"));
}

TEST_F(LinkClientTest, TriesAgainAsTheServerSays) {
  std::vector<absl::Duration> slept;
  LinkClient::Options options = OptionsFor(server_);
  options.retry.jitter = 0;
  options.sleep = [&](absl::Duration delay) { slept.push_back(delay); };
  server_.FailNext({RetryAfter(grpc::StatusCode::RESOURCE_EXHAUSTED,
                               absl::Milliseconds(1500)),
                    grpc::Status(grpc::StatusCode::UNAVAILABLE, "restart")});
  const LinkQuery link = Query("curl", "depends", "wget");
  const auto scored = Connected(options)->PredictLinks({&link, 1});
  ASSERT_TRUE(scored.ok()) << scored.status();
  EXPECT_THAT(slept,
              ElementsAre(absl::Milliseconds(1500), absl::Milliseconds(200)));
  EXPECT_EQ(server_.requests().size(), 3);
}

TEST_F(LinkClientTest, GivesUpAfterABoundedNumberOfTries) {
  server_.FailNext(std::vector<grpc::Status>(
      100,
      RetryAfter(grpc::StatusCode::RESOURCE_EXHAUSTED, absl::Milliseconds(1))));
  const LinkQuery link = Query("curl", "depends", "wget");
  EXPECT_EQ(client_->PredictLinks({&link, 1}).status().code(),
            StatusCode::kResourceExhausted);
  EXPECT_EQ(server_.requests().size(), 10);
}

TEST_F(LinkClientTest, DoesNotTryAgainWhatCannotPass) {
  server_.FailNext({grpc::Status(grpc::StatusCode::INVALID_ARGUMENT,
                                 "links: 1,025 of at most 1,024")});
  const LinkQuery link = Query("curl", "depends", "wget");
  const auto scored = client_->PredictLinks({&link, 1});
  EXPECT_EQ(scored.status(),
            absl::InvalidArgumentError("links: 1,025 of at most 1,024"));
  EXPECT_EQ(server_.requests().size(), 1);
}

TEST_F(LinkClientTest, EndsAtItsDeadline) {
  LinkClient::Options options = OptionsFor(server_);
  options.max_time = absl::Milliseconds(50);
  // Shared, because the server's call may end after the client's.
  struct Gate {
    Mutex mutex;
    CondVar changed;
    bool open ABSL_GUARDED_BY(mutex) = false;
  };
  const auto gate = std::make_shared<Gate>();
  server_.SetBeforeAnswer([gate](const v1::PredictLinksRequest&) {
    MutexLock lock(&gate->mutex);
    while (!gate->open) gate->changed.Wait(&gate->mutex);
  });
  const LinkQuery link = Query("curl", "depends", "wget");
  EXPECT_EQ(Connected(options)->PredictLinks({&link, 1}).status(),
            absl::DeadlineExceededError(
                "no answer came within 50ms; --max-time allows more"));
  options.min_graph_version = 9;
  EXPECT_EQ(Connected(options)->PredictLinks({&link, 1}).status(),
            absl::DeadlineExceededError(
                "no answer came within 50ms; the graph may not have version 9 "
                "yet; --max-time allows more"));
  MutexLock lock(&gate->mutex);
  gate->open = true;
  gate->changed.SignalAll();
}

TEST_F(LinkClientTest, ReadsWhatIsLoaded) {
  const auto info = client_->GetModelInfo();
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_EQ(info->from.bundle_id, "toy");
  EXPECT_EQ(info->heads, 4);
  EXPECT_DOUBLE_EQ(info->decision_threshold, 0.41);
  EXPECT_DOUBLE_EQ(info->metrics.at("test.auroc"), 0.9931);
  EXPECT_THAT(info->relations, ElementsAre("depends", "suggests", "tagged"));
}

TEST_F(LinkClientTest, ListsRelations) {
  const auto list = client_->ListRelations();
  ASSERT_TRUE(list.ok()) << list.status();
  ASSERT_EQ(list->relations.size(), 1);
  EXPECT_EQ(list->relations[0].name, "tagged");
  EXPECT_THAT(list->relations[0].target_types, ElementsAre("debtag"));
}

TEST_F(LinkClientTest, FindsNodesOverPages) {
  const auto list = client_->FindNodes({"lib", "package", 2100});
  ASSERT_TRUE(list.ok()) << list.status();
  ASSERT_EQ(list->nodes.size(), 2100);
  EXPECT_EQ(list->nodes[2099].name, "lib2099");
  EXPECT_EQ(list->nodes[0].type, "package");
  EXPECT_TRUE(list->more);
}

TEST_F(LinkClientTest, FindsAllNodesWithoutALimit) {
  const auto list = client_->FindNodes({"lib", "", 0});
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->nodes.size(), 2500);
  EXPECT_FALSE(list->more);
}

TEST_F(LinkClientTest, PassesNearMissesOn) {
  const auto list = client_->FindNodes({"unknown", "", 20});
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_TRUE(list->nodes.empty());
  EXPECT_THAT(list->near_misses, ElementsAre("curl"));
}

TEST_F(LinkClientTest, ListsNeighborsUpToTheLimit) {
  const auto list =
      client_->GetNeighbors({{"curl"}, "suggests", ArcDirection::kOut, 2});
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->neighbors.size(), 2);
  EXPECT_EQ(list->total, 3);
  EXPECT_EQ(list->neighbors[0].relation, "suggests");
}

TEST_F(LinkClientTest, ListsAllNeighborsWithTheirDirection) {
  const auto list =
      client_->GetNeighbors({{"curl"}, "", ArcDirection::kBoth, 0});
  ASSERT_TRUE(list.ok()) << list.status();
  ASSERT_EQ(list->neighbors.size(), 3);
  EXPECT_EQ(list->neighbors[0].direction, ArcDirection::kOut);
  EXPECT_EQ(list->neighbors[2].direction, ArcDirection::kIn);
}

TEST_F(LinkClientTest, ChecksHealth) {
  EXPECT_EQ(*client_->CheckHealth(""), ServingState::kServing);
  server_.SetServing("slice.v1.LinkPredictionService", false);
  EXPECT_EQ(*client_->CheckHealth("slice.v1.LinkPredictionService"),
            ServingState::kNotServing);
  EXPECT_EQ(client_->CheckHealth("absent").status().code(),
            StatusCode::kNotFound);
}

TEST_F(LinkClientTest, WatchesHealthUntilToldToStop) {
  std::vector<ServingState> seen;
  const absl::Status status = client_->WatchHealth(
      "", absl::InfiniteDuration(), [&](ServingState state) {
        seen.push_back(state);
        server_.SetServing("", false);
        return seen.size() < 2;
      });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_THAT(seen,
              ElementsAre(ServingState::kServing, ServingState::kNotServing));
}

TEST_F(LinkClientTest, ConnectsToALiveServerOnly) {
  EXPECT_TRUE(client_->Connect(absl::Seconds(10)).ok());
}

TEST(LinkClientWithoutServerTest, SaysThatNothingListens) {
  std::string address;
  {
    FakeLinkServer gone;
    address = gone.address();
  }
  LinkClient::Options options;
  options.connection.server = address;
  int sleeps = 0;
  options.sleep = [&](absl::Duration) { ++sleeps; };
  const auto client = Connected(options);
  const LinkQuery link = Query("curl", "depends", "wget");
  EXPECT_EQ(client->PredictLinks({&link, 1}).status().code(),
            StatusCode::kUnavailable);
  EXPECT_EQ(sleeps, 3);
  EXPECT_EQ(client->Connect(absl::Seconds(10)).code(),
            StatusCode::kUnavailable);
}

TEST(LinkClientWithoutServerTest, RefusesOptionsThatCannotWork) {
  LinkClient::Options options;
  options.connection.server = "nowhere";
  EXPECT_EQ(LinkClient::Create(options).status().code(),
            StatusCode::kInvalidArgument);
  options = {};
  options.max_time = absl::ZeroDuration();
  EXPECT_EQ(LinkClient::Create(options).status().code(),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace slice
