// Updates of a served graph over loopback, and the questions that see them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "slice/v1/graph_update.grpc.pb.h"
#include "tests/server/recommend_model.h"
#include "tests/server/test_server.h"

namespace slice {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ServerOptions Options(bool accept_updates) {
  ServerOptions options = TestServerOptions();
  options.accept_updates = accept_updates;
  options.result_cache_bytes = size_t{1} << 20;
  return options;
}

class GraphUpdateServiceTest : public ::testing::Test {
 protected:
  explicit GraphUpdateServiceTest(bool accept_updates = true)
      : model_(LargerToyGraph(40)), test_(Options(accept_updates)) {
    auto graph = std::make_shared<ServedGraph>();
    graph->store = *RocksDbGraphStore::Open({.directory = directory_ / "g"});
    EXPECT_TRUE(graph->store->BulkLoad(LargerToyGraph(40), "").ok());
    graph->live = *LiveGraph::Open(graph->store.get(), model_.served->snapshot);
    const_cast<ServedModel&>(*model_.served).graph = std::move(graph);
    test_.server->Serve(model_.served);
    updates_ = v1::GraphUpdateService::NewStub(test_.channel);
  }

  static void Fill(const std::string& source, const std::string& relation,
                   const std::string& target, v1::LinkChange* link) {
    link->mutable_source()->set_key(source);
    link->set_relation(relation);
    link->mutable_target()->set_key(target);
  }
  static v1::ApplyUpdatesRequest Add(const std::string& source,
                                     const std::string& relation,
                                     const std::string& target) {
    v1::ApplyUpdatesRequest request;
    Fill(source, relation, target, request.add_changes()->mutable_add_link());
    return request;
  }

  grpc::Status Apply(const v1::ApplyUpdatesRequest& request) {
    grpc::ClientContext context;
    return updates_->ApplyUpdates(&context, request, &applied_);
  }
  void ExpectRefused(const v1::ApplyUpdatesRequest& request,
                     grpc::StatusCode code, const std::string& message) {
    const grpc::Status status = Apply(request);
    EXPECT_EQ(status.error_code(), code) << status.error_message();
    EXPECT_THAT(status.error_message(), HasSubstr(message));
  }

  // The answer to curl -depends-> libssl3.
  v1::PredictLinksResponse Predict() {
    grpc::ClientContext context;
    v1::PredictLinksResponse reply;
    EXPECT_TRUE(
        test_.links->PredictLinks(&context, CurlRequest(), &reply).ok());
    return reply;
  }
  std::set<std::string> Recommended() {
    v1::RecommendLinksRequest request;
    request.mutable_source()->set_key("curl");
    request.set_relation("depends");
    request.set_k(1000);
    request.set_include_existing(true);
    grpc::ClientContext context;
    const auto stream = test_.links->RecommendLinks(&context, request);
    std::set<std::string> keys;
    for (v1::RecommendLinksResponse reply; stream->Read(&reply);) {
      keys.insert(reply.recommendation().node().key());
    }
    EXPECT_TRUE(stream->Finish().ok());
    return keys;
  }
  std::vector<std::string> Found(const std::string& prefix) {
    v1::FindNodesRequest request;
    request.set_prefix(prefix);
    grpc::ClientContext context;
    v1::FindNodesResponse reply;
    EXPECT_TRUE(test_.links->FindNodes(&context, request, &reply).ok());
    std::vector<std::string> keys;
    for (const v1::Node& node : reply.nodes()) keys.push_back(node.key());
    return keys;
  }
  uint64_t Neighbors(const std::string& key) {
    v1::GetNeighborsRequest request;
    request.mutable_node()->set_key(key);
    grpc::ClientContext context;
    v1::GetNeighborsResponse reply;
    EXPECT_TRUE(test_.graph->GetNeighbors(&context, request, &reply).ok());
    return reply.total();
  }

  const TempDirectory directory_;
  const RecommendModel model_;
  TestServer test_;
  std::unique_ptr<v1::GraphUpdateService::Stub> updates_;
  v1::ApplyUpdatesResponse applied_;
};

TEST_F(GraphUpdateServiceTest, EveryQuestionSeesAChange) {
  const v1::PredictLinksResponse before = Predict();
  EXPECT_EQ(Predict().results(0).logit(), before.results(0).logit());  // cached
  const std::set<std::string> recommended = Recommended();
  const uint64_t neighbors = Neighbors("libcurl4");
  EXPECT_THAT(Found("brand"), ElementsAre());

  v1::ApplyUpdatesRequest request = Add("brand-new", "depends", "libcurl4");
  request.add_changes()->mutable_upsert_node()->set_key("brand-new");
  request.mutable_changes(1)->mutable_upsert_node()->set_type("package");
  Fill("libcurl4", "depends", "libssl3",
       request.add_changes()->mutable_remove_link());
  const grpc::Status status = Apply(request);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(applied_.graph_version(), 1);

  const v1::PredictLinksResponse after = Predict();
  EXPECT_EQ(after.graph_version(), 1);
  EXPECT_EQ(before.graph_version(), 0);
  EXPECT_NE(after.results(0).logit(), before.results(0).logit());
  EXPECT_THAT(Found("brand"), ElementsAre("brand-new"));
  EXPECT_EQ(Neighbors("libcurl4"), neighbors);  // one more, one less
  EXPECT_EQ(Neighbors("brand-new"), 1);
  std::set<std::string> with_new = recommended;
  with_new.insert("brand-new");
  EXPECT_EQ(Recommended(), with_new);

  v1::ApplyUpdatesRequest back;
  back.add_changes()->mutable_remove_node()->set_key("brand-new");
  Fill("libcurl4", "depends", "libssl3",
       back.add_changes()->mutable_add_link());
  ASSERT_TRUE(Apply(back).ok());
  EXPECT_EQ(Predict().results(0).logit(), before.results(0).logit());
  EXPECT_EQ(Recommended(), recommended);
  EXPECT_THAT(Found("brand"), ElementsAre());
}

TEST_F(GraphUpdateServiceTest, SaysWhichTypesAreNew) {
  v1::ApplyUpdatesRequest request;
  for (const char* type : {"package", "packge", "package", "packge"}) {
    auto* node = request.add_changes()->mutable_upsert_node();
    node->set_key(absl::StrCat("node-", request.changes_size()));
    node->set_type(type);
  }
  request.set_writer("w");
  request.set_sequence(1);
  ASSERT_TRUE(Apply(request).ok());
  EXPECT_THAT(applied_.added_types(), ElementsAre("packge"));
  ASSERT_TRUE(Apply(request).ok());
  EXPECT_TRUE(applied_.repeated());
  EXPECT_THAT(applied_.added_types(), ElementsAre());

  v1::ApplyUpdatesRequest later;
  later.add_changes()->mutable_upsert_node()->set_key("later");
  later.mutable_changes(0)->mutable_upsert_node()->set_type("packge");
  ASSERT_TRUE(Apply(later).ok());
  EXPECT_THAT(applied_.added_types(), ElementsAre());
}

TEST_F(GraphUpdateServiceTest, AListInPagesGoesOnBesideChanges) {
  v1::FindNodesRequest request;
  request.set_prefix("package-");
  request.set_page_size(10);
  std::vector<std::string> keys;
  do {
    grpc::ClientContext context;
    v1::FindNodesResponse reply;
    const grpc::Status status =
        test_.links->FindNodes(&context, request, &reply);
    ASSERT_TRUE(status.ok()) << status.error_message();
    for (const v1::Node& node : reply.nodes()) keys.push_back(node.key());
    request.set_page_token(reply.next_page_token());
    ASSERT_TRUE(Apply(Add("curl", "suggests", keys.back())).ok());
  } while (!request.page_token().empty());
  EXPECT_EQ(keys.size(), 40);
}

TEST_F(GraphUpdateServiceTest, AWhatIfBuildsOnTheChanges) {
  ASSERT_TRUE(Apply(Add("curl", "suggests", "firefox")).ok());
  v1::PredictLinksRequest request = CurlRequest();
  Fill("curl", "suggests", "firefox",
       request.mutable_what_if()->add_changes()->mutable_add_link());
  grpc::ClientContext context;
  v1::PredictLinksResponse reply;
  ASSERT_TRUE(test_.links->PredictLinks(&context, request, &reply).ok());
  EXPECT_THAT(reply.what_if().without_effect(), ElementsAre(0));
  EXPECT_EQ(reply.graph_version(), 1);
}

TEST_F(GraphUpdateServiceTest, SaysWhatTheGraphIsNow) {
  v1::ApplyUpdatesRequest request = Add("curl", "suggests", "firefox");
  request.set_writer("w");
  request.set_sequence(1);
  ASSERT_TRUE(Apply(request).ok());
  ASSERT_TRUE(Apply(request).ok());
  EXPECT_TRUE(applied_.repeated());
  v1::GetGraphStateRequest asked;
  asked.set_writer("w");
  grpc::ClientContext context;
  v1::GetGraphStateResponse state;
  ASSERT_TRUE(updates_->GetGraphState(&context, asked, &state).ok());
  EXPECT_EQ(state.graph_version(), 1);
  EXPECT_EQ(state.base_version(), 0);
  EXPECT_EQ(state.state_digest().size(), 64);
  EXPECT_EQ(state.last_sequence(), 1);
  EXPECT_EQ(state.link_count(), model_.served->snapshot->link_count() + 1);
  EXPECT_TRUE(state.writable());
}

TEST_F(GraphUpdateServiceTest, AStreamIsAppliedInOrderUntilAnError) {
  grpc::ClientContext context;
  const auto stream = updates_->StreamUpdates(&context);
  ASSERT_TRUE(stream->Write(Add("curl", "suggests", "firefox")));
  ASSERT_TRUE(stream->Write(Add("curl", "suggests", "privoxy")));
  ASSERT_TRUE(stream->Write(Add("curl", "suggests", "nobody")));
  stream->Write(Add("curl", "suggests", "libssl3"));
  std::vector<uint64_t> versions;
  for (v1::ApplyUpdatesResponse reply; stream->Read(&reply);) {
    versions.push_back(reply.graph_version());
  }
  EXPECT_THAT(versions, ElementsAre(1, 2));
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_THAT(status.error_message(), HasSubstr("changes[0].add_link.target"));
  EXPECT_EQ(Predict().graph_version(), 2);
}

TEST_F(GraphUpdateServiceTest, RefusesMalformedRequests) {
  using enum grpc::StatusCode;
  ExpectRefused({}, INVALID_ARGUMENT, "at least one change");
  v1::ApplyUpdatesRequest many;
  for (int i = 0; i <= 10'000; ++i) {
    many.add_changes()->mutable_upsert_node()->set_key(absl::StrCat("new-", i));
  }
  ExpectRefused(many, INVALID_ARGUMENT, "holds 10001 changes, at most 10000");
  v1::ApplyUpdatesRequest named;
  named.add_changes()->mutable_remove_node()->set_name("curl");
  ExpectRefused(named, INVALID_ARGUMENT, "changes[0].remove_node: must name");
  v1::ApplyUpdatesRequest numbered = Add("curl", "suggests", "firefox");
  numbered.set_writer("w");
  ExpectRefused(numbered, INVALID_ARGUMENT, "sequence: is above 0 where");
  ExpectRefused(Add("curl", "likes", "firefox"), FAILED_PRECONDITION,
                "train a bundle that knows it");
  ExpectRefused(Add("curl", "suggests", std::string(1025, 'k')),
                INVALID_ARGUMENT, "changes[0].add_link.target.key");
  v1::ApplyUpdatesRequest deleted = Add("curl", "suggests", "firefox");
  deleted.add_changes()->mutable_remove_node()->set_key("firefox");
  ExpectRefused(deleted, INVALID_ARGUMENT, "is removed by changes[1]");
  EXPECT_EQ(Predict().graph_version(), 0);
}

class FrozenGraphTest : public GraphUpdateServiceTest {
 protected:
  FrozenGraphTest() : GraphUpdateServiceTest(/*accept_updates=*/false) {}
};

TEST_F(FrozenGraphTest, TakesNoChanges) {
  ExpectRefused(Add("curl", "suggests", "firefox"),
                grpc::StatusCode::FAILED_PRECONDITION, "--accept-updates");
  EXPECT_EQ(Predict().graph_version(), 0);
}

TEST_F(FrozenGraphTest, NoRecommendationWaitsForAVersion) {
  v1::RecommendLinksRequest request;
  request.mutable_source()->set_key("curl");
  request.set_relation("depends");
  request.set_min_graph_version(1);
  grpc::ClientContext context;
  const auto stream = test_.links->RecommendLinks(&context, request);
  v1::RecommendLinksResponse reply;
  EXPECT_FALSE(stream->Read(&reply));
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(), HasSubstr("stays at version 0"));
}

}  // namespace
}  // namespace slice
