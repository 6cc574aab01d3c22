// Questions for a version of the graph that is not there yet, over loopback.
#include "server/pipeline/version_waits.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "graphstore/rocksdb_graph_store.h"
#include "tests/server/test_server.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class VersionWaitsTest : public ::testing::Test {
 protected:
  void Start(bool accept_updates, size_t max_queue_bytes = size_t{64} << 20) {
    ServerOptions options = TestServerOptions();
    options.accept_updates = accept_updates;
    options.max_queue_bytes = max_queue_bytes;
    test_ = std::make_unique<TestServer>(options);
    auto graph = std::make_shared<ServedGraph>();
    graph->store = *RocksDbGraphStore::Open({.directory = directory_ / "g"});
    ASSERT_TRUE(graph->store->BulkLoad(ToyGraph(), "").ok());
    graph->live =
        *LiveGraph::Open(graph->store.get(), test_->fake.served->snapshot);
    graph_ = graph;
    const_cast<ServedModel&>(*test_->fake.served).graph = std::move(graph);
    test_->Serve();
  }

  // Makes version 1.
  void ChangeTheGraph() {
    NamedChanges changes;
    changes.Add()->mutable_upsert_node()->set_key("new");
    std::promise<void> done;
    GraphUpdate update;
    update.changes = changes;
    update.done = [&](const auto&) { done.set_value(); };
    ASSERT_TRUE(graph_->live->Submit(std::move(update)).ok());
    done.get_future().wait();
  }

  static v1::PredictLinksRequest RequestFor(uint64_t version, int links = 1) {
    v1::PredictLinksRequest request = CurlRequest(links);
    request.set_min_graph_version(version);
    return request;
  }
  grpc::Status Predict(const v1::PredictLinksRequest& request,
                       v1::PredictLinksResponse* response) {
    grpc::ClientContext context;
    return test_->links->PredictLinks(&context, request, response);
  }

  const TempDirectory directory_;
  std::unique_ptr<TestServer> test_;
  std::shared_ptr<const ServedGraph> graph_;
};

TEST_F(VersionWaitsTest, EndWhenTheVersionComes) {
  Start(/*accept_updates=*/true);
  v1::PredictLinksResponse response;
  auto status = std::async(std::launch::async,
                           [&] { return Predict(RequestFor(1), &response); });
  ChangeTheGraph();
  EXPECT_TRUE(status.get().ok());
  EXPECT_EQ(response.graph_version(), 1u);
}

TEST_F(VersionWaitsTest, DoNotBeginWhereNothingChangesTheGraph) {
  Start(/*accept_updates=*/false);
  v1::PredictLinksResponse response;
  const grpc::Status status = Predict(RequestFor(1), &response);
  ASSERT_EQ(status.error_code(), grpc::FAILED_PRECONDITION);
  EXPECT_THAT(status.error_message(),
              HasSubstr("min_graph_version: the graph stays at version 0"));
  grpc::ClientContext context;
  const auto stream = test_->links->StreamPredictLinks(&context);
  ASSERT_TRUE(stream->Write(RequestFor(1)));
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.results(0).status().code(), grpc::FAILED_PRECONDITION);
  EXPECT_TRUE(Predict(RequestFor(0), &response).ok());
}

// Each takes some 700 KiB, and one client gets a third of 4 MiB.
TEST_F(VersionWaitsTest, TakeRoomAsRequestsInsideDo) {
  Start(/*accept_updates=*/true, size_t{4} << 20);
  v1::PredictLinksRequest request = RequestFor(1, 300);
  for (v1::LinkRef& link : *request.mutable_links()) {
    link.mutable_target()->set_key(std::string(800, 'k'));
  }
  constexpr int kRequests = 4;
  grpc::ClientContext context;
  const auto stream = test_->links->StreamPredictLinks(&context);
  for (int i = 0; i < kRequests; ++i) ASSERT_TRUE(stream->Write(request));
  test_->AwaitMetric("slice_shed_total{reason=\"bytes_full\"} 600");
  ChangeTheGraph();
  int answered = 0, refused = 0;
  v1::PredictLinksResponse response;
  for (int i = 0; i < kRequests; ++i) {
    ASSERT_TRUE(stream->Read(&response));
    const int code = response.results(0).status().code();
    if (code == grpc::NOT_FOUND) ++answered;
    if (code == grpc::RESOURCE_EXHAUSTED) ++refused;
  }
  EXPECT_EQ(answered, 2);
  EXPECT_EQ(refused, 2);
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(VersionWaitsTest, EndWhenTheServerStops) {
  Start(/*accept_updates=*/true);
  v1::PredictLinksResponse response;
  auto status = std::async(std::launch::async,
                           [&] { return Predict(RequestFor(1), &response); });
  test_->AwaitMetric(
      "grpc_server_started_total{grpc_method=\"PredictLinks\",grpc_service="
      "\"slice.v1.LinkPredictionService\"} 1");
  grpc::ClientContext context;
  const auto stream = test_->links->StreamPredictLinks(&context);
  ASSERT_TRUE(stream->Write(RequestFor(1)));
  ASSERT_TRUE(stream->Write(RequestFor(0)));
  const absl::Time begin = absl::Now();
  test_->server->Shutdown();
  EXPECT_LT(absl::Now() - begin, TestServerOptions().drain_timeout / 2);
  const grpc::Status ended = status.get();
  EXPECT_EQ(ended.error_code(), grpc::UNAVAILABLE);
  EXPECT_EQ(ended.error_message(), "the server is stopping");
}

}  // namespace
}  // namespace slice
