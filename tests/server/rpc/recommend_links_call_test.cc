#include "server/rpc/recommend_links_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "common/mutex.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "server/limits.h"
#include "tests/server/recommend_model.h"
#include "tests/server/test_server.h"
#include "tests/testing/fake_clock.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

// Threads wait at the gate until it is opened.
class Gate {
 public:
  void Wait() {
    MutexLock lock(&mutex_);
    ++waiting_;
    changed_.SignalAll();
    while (!open_) changed_.Wait(&mutex_);
  }
  void WaitForOne() {
    MutexLock lock(&mutex_);
    while (waiting_ == 0) changed_.Wait(&mutex_);
  }
  void Open() {
    MutexLock lock(&mutex_);
    open_ = true;
    changed_.SignalAll();
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  int waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
};

class RecommendLinksCallTest : public ::testing::Test {
 protected:
  RecommendLinksCallTest() {
    ServerOptions options = TestServerOptions();
    options.recommend_workers = 1;
    auto listening = LinkPredictionServer::Listen(options);
    EXPECT_TRUE(listening.ok()) << listening.status();
    server_ = *std::move(listening);
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    stub_ = v1::LinkPredictionService::NewStub(grpc::CreateCustomChannel(
        server_->address(), grpc::InsecureChannelCredentials(), arguments));
    server_->Serve(model_.served);
  }
  ~RecommendLinksCallTest() override { gate_.Open(); }

  // The best targets of curl -depends->.
  static v1::RecommendLinksRequest Request() {
    v1::RecommendLinksRequest request;
    request.mutable_source()->set_key("curl");
    request.set_relation("depends");
    return request;
  }

  grpc::Status Call(const v1::RecommendLinksRequest& request) {
    grpc::ClientContext context;
    replies_.clear();
    auto stream = stub_->RecommendLinks(&context, request);
    for (v1::RecommendLinksResponse reply; stream->Read(&reply);) {
      replies_.push_back(reply);
    }
    grpc::Status status = stream->Finish();
    trailers_.clear();
    for (const auto& [name, value] : context.GetServerTrailingMetadata()) {
      trailers_.insert({name.data(), name.size()});
    }
    return status;
  }

  std::vector<std::string> Keys() const {
    std::vector<std::string> keys;
    for (const auto& reply : replies_) {
      if (reply.has_recommendation()) {
        keys.push_back(reply.recommendation().node().key());
      }
    }
    return keys;
  }

  void ExpectRefused(const v1::RecommendLinksRequest& request,
                     grpc::StatusCode code, const std::string& message) {
    const grpc::Status status = Call(request);
    EXPECT_EQ(status.error_code(), code) << status.error_message();
    EXPECT_THAT(status.error_message(), HasSubstr(message));
    EXPECT_TRUE(replies_.empty());
  }

  // How many calls ended with this code.
  int Handled(const std::string& code) const {
    const std::string sample =
        "grpc_server_handled_total{grpc_code=\"" + code +
        "\",grpc_method=\"RecommendLinks\",grpc_service=\"slice.v1."
        "LinkPredictionService\"} ";
    const std::string text = server_->metrics().Render();
    return std::stoi(text.substr(text.find(sample) + sample.size()));
  }

  RecommendModel model_{LargerToyGraph(30)};
  Gate gate_;
  std::unique_ptr<LinkPredictionServer> server_;
  std::unique_ptr<v1::LinkPredictionService::Stub> stub_;
  std::vector<v1::RecommendLinksResponse> replies_;
  std::set<std::string> trailers_;
};

TEST_F(RecommendLinksCallTest, StreamsTheBestFirstWithTheirPaths) {
  const grpc::Status status = Call(Request());
  ASSERT_TRUE(status.ok()) << status.error_message();
  ASSERT_EQ(replies_.size(), 10);
  size_t with_path = 0;
  for (size_t i = 0; i < replies_.size(); ++i) {
    const auto& reply = replies_[i];
    const v1::Recommendation& best = reply.recommendation();
    EXPECT_EQ(best.rank(), i + 1);
    EXPECT_EQ(reply.bundle_id(), model_.served->manifest.bundle_id);
    EXPECT_EQ(reply.graph_version(), model_.served->snapshot->graph_version());
    EXPECT_EQ(reply.scorer(), "context");
    EXPECT_FALSE(reply.best_so_far());
    EXPECT_EQ(best.node().type(), "package");
    EXPECT_TRUE(best.reranked());
    if (i > 0) {
      EXPECT_LE(best.score(), replies_[i - 1].recommendation().score());
    }
    if (best.metapath().empty()) continue;
    ++with_path;
    EXPECT_EQ(best.metapath(0).node().key(), "curl");
    EXPECT_EQ(best.metapath(best.metapath_size() - 1).node().key(),
              best.node().key());
  }
  EXPECT_GT(with_path, 3);
  for (const char* name : {"slice-queue-micros", "slice-rank-micros",
                           "slice-rerank-micros", "slice-explain-micros"}) {
    EXPECT_TRUE(trailers_.contains(name)) << name;
  }
}

TEST_F(RecommendLinksCallTest, AnswersAsPredictLinksExplains) {
  ASSERT_TRUE(Call(Request()).ok());
  v1::PredictLinksRequest request;
  request.set_explanation_level(v1::EXPLANATION_LEVEL_FULL);
  for (const std::string& key : Keys()) {
    v1::LinkRef* link = request.add_links();
    link->mutable_source()->set_key("curl");
    link->set_relation("depends");
    link->mutable_target()->set_key(key);
  }
  grpc::ClientContext context;
  v1::PredictLinksResponse predicted;
  ASSERT_TRUE(stub_->PredictLinks(&context, request, &predicted).ok());
  ASSERT_EQ(predicted.results_size(), static_cast<int>(replies_.size()));
  for (int i = 0; i < predicted.results_size(); ++i) {
    const v1::Recommendation& best = replies_[i].recommendation();
    const v1::LinkResult& link = predicted.results(i);
    EXPECT_NEAR(best.probability(), link.probability(), 1e-5);
    EXPECT_NEAR(best.probability_among_kind(), link.probability_among_kind(),
                1e-5);
    EXPECT_EQ(best.metapath_count(), link.explanation().metapath_count());
    ASSERT_EQ(best.metapath_size(), link.explanation().metapath_size());
    for (int step = 0; step < best.metapath_size(); ++step) {
      EXPECT_EQ(best.metapath(step).SerializeAsString(),
                link.explanation().metapath(step).SerializeAsString());
    }
  }
}

TEST_F(RecommendLinksCallTest, RecommendsSourcesOfATarget) {
  v1::RecommendLinksRequest request;
  request.mutable_target()->set_key("web::browser");
  request.set_relation("tagged");
  ASSERT_TRUE(Call(request).ok());
  ASSERT_EQ(replies_.size(), 10);
  for (const auto& reply : replies_) {
    EXPECT_EQ(reply.recommendation().node().type(), "package");
  }
  EXPECT_THAT(Keys(), testing::Not(testing::Contains("firefox")));  // linked
}

TEST_F(RecommendLinksCallTest, LeavesOutWhatExistsUnlessItIsWanted) {
  v1::RecommendLinksRequest request = Request();
  request.set_k(1000);
  ASSERT_TRUE(Call(request).ok());
  const std::vector<std::string> without = Keys();
  EXPECT_THAT(without, testing::Not(testing::Contains("libssl3")));
  EXPECT_THAT(without, testing::Not(testing::Contains("curl")));
  request.set_include_existing(true);
  ASSERT_TRUE(Call(request).ok());
  EXPECT_THAT(Keys(), testing::Contains("libssl3"));
  EXPECT_THAT(Keys(), testing::Not(testing::Contains("curl")));
  EXPECT_GT(Keys().size(), without.size());
  EXPECT_EQ(replies_[0].candidate_count(), Keys().size());
}

TEST_F(RecommendLinksCallTest, RanksOnlyTheNodesNamed) {
  v1::RecommendLinksRequest request = Request();
  for (const char* key : {"firefox", "package-3", "web::browser", "firefox"}) {
    request.add_candidates()->set_key(key);
  }
  ASSERT_TRUE(Call(request).ok());
  EXPECT_THAT(Keys(), testing::UnorderedElementsAre("firefox", "package-3",
                                                    "web::browser"));
  request.set_type("package");
  ASSERT_TRUE(Call(request).ok());
  EXPECT_THAT(Keys(), testing::UnorderedElementsAre("firefox", "package-3"));
}

TEST_F(RecommendLinksCallTest, SaysSoWhenNoCandidateIsLeft) {
  v1::RecommendLinksRequest request = Request();
  request.add_candidates()->set_key("libssl3");
  ASSERT_TRUE(Call(request).ok());
  ASSERT_EQ(replies_.size(), 1);
  EXPECT_FALSE(replies_[0].has_recommendation());
  EXPECT_EQ(replies_[0].candidate_count(), 0);
  EXPECT_EQ(replies_[0].bundle_id(), model_.served->manifest.bundle_id);
}

TEST_F(RecommendLinksCallTest, NamesWhatIsWrongWithARequest) {
  const auto with = [](auto change) {
    v1::RecommendLinksRequest request = Request();
    change(request);
    return request;
  };
  using R = v1::RecommendLinksRequest;
  for (const int k : {-1, kMaxRecommendations + 1}) {
    ExpectRefused(with([k](R& r) { r.set_k(k); }), grpc::INVALID_ARGUMENT,
                  "is not in [1, 1000]");
  }
  ExpectRefused(with([](R& r) { r.clear_known_end(); }), grpc::INVALID_ARGUMENT,
                "source: is missing");
  ExpectRefused(with([](R& r) { r.clear_relation(); }), grpc::INVALID_ARGUMENT,
                "relation: must not be empty");
  ExpectRefused(with([](R& r) { r.set_scorer("best"); }),
                grpc::INVALID_ARGUMENT, "scorer");
  ExpectRefused(with([](R& r) {
                  for (int i = 0; i <= kMaxRecommendCandidates; ++i) {
                    r.add_candidates()->set_key("curl");
                  }
                }),
                grpc::INVALID_ARGUMENT, "at most 10000");
  ExpectRefused(with([](R& r) { r.add_candidates(); }), grpc::INVALID_ARGUMENT,
                "candidates[0]");
  ExpectRefused(with([](R& r) { r.mutable_source()->set_key("curll"); }),
                grpc::NOT_FOUND,
                "source: no node has the key 'curll'; did you "
                "mean 'curl'");
  ExpectRefused(with([](R& r) { r.mutable_target()->set_key("nothing-at"); }),
                grpc::NOT_FOUND, "target: ");
  ExpectRefused(
      with([](R& r) { r.set_relation("depend"); }), grpc::NOT_FOUND,
      "relation: no relation is called 'depend'; did you mean 'depends'");
  ExpectRefused(
      with([](R& r) { r.set_type("packages"); }), grpc::NOT_FOUND,
      "type: no node type is called 'packages'; did you mean 'package'");
  ExpectRefused(with([](R& r) { r.set_type("team"); }), grpc::NOT_FOUND,
                "no target of 'depends' has the type 'team'; there are: "
                "package");
  ExpectRefused(with([](R& r) { r.add_candidates()->set_key("nowhere"); }),
                grpc::NOT_FOUND, "candidates[0]: ");
  ExpectRefused(with([](R& r) { r.set_model("other"); }), grpc::NOT_FOUND,
                "model 'other'");
}

TEST_F(RecommendLinksCallTest, SendsTheBestSoFarWhenTimeRunsOut) {
  v1::RecommendLinksRequest request = Request();
  grpc::ClientContext context;
  const auto deadline =
      std::chrono::system_clock::now() + std::chrono::hours(1);
  context.set_deadline(deadline);
  // The server's max_deadline ends first, on the fake clock.
  FakeClock clock(absl::Now());
  ServerOptions options = TestServerOptions();
  auto server = LinkPredictionServer::Listen(options, &clock);
  ASSERT_TRUE(server.ok());
  (*server)->Serve(model_.served);
  model_.scorer->before_structural = [&] {
    clock.Advance(options.max_deadline - absl::Milliseconds(1));
  };
  const auto stub = v1::LinkPredictionService::NewStub(grpc::CreateChannel(
      (*server)->address(), grpc::InsecureChannelCredentials()));
  auto stream = stub->RecommendLinks(&context, request);
  v1::RecommendLinksResponse reply;
  size_t count = 0;
  while (stream->Read(&reply)) {
    EXPECT_TRUE(reply.best_so_far());
    EXPECT_FALSE(reply.recommendation().reranked());
    ++count;
  }
  const grpc::Status status = stream->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(count, 10);
  EXPECT_THAT((*server)->metrics().Render(),
              HasSubstr("slice_recommendations_total{outcome=\"best_so_far\"} "
                        "1"));
}

TEST_F(RecommendLinksCallTest, StopsForACallerThatLeft) {
  constexpr int kTries = 200;
  int tries = 0;
  // The server may hear of the cancellation only after its whole answer is
  // sent. Then the test tries again.
  while (Handled("CANCELLED") == 0 && tries < kTries) {
    Gate gate;
    model_.scorer->before = [&gate] { gate.Wait(); };
    grpc::ClientContext context;
    auto stream = stub_->RecommendLinks(&context, Request());
    gate.WaitForOne();
    context.TryCancel();
    EXPECT_EQ(stream->Finish().error_code(), grpc::CANCELLED);
    gate.Open();
    ++tries;
    while (Handled("CANCELLED") + Handled("OK") < tries) {
      std::this_thread::yield();
    }
  }
  EXPECT_EQ(Handled("CANCELLED"), 1);
}

TEST_F(RecommendLinksCallTest, RefusesMoreThanMayWait) {
  model_.scorer->before = [this] { gate_.Wait(); };
  constexpr int kWaiting = 32;  // the share of one host
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<grpc::ClientReader<v1::RecommendLinksResponse>>>
      streams;
  const auto start = [&] {
    contexts.push_back(std::make_unique<grpc::ClientContext>());
    streams.push_back(stub_->RecommendLinks(contexts.back().get(), Request()));
  };
  start();
  gate_.WaitForOne();
  for (int i = 0; i < kWaiting; ++i) start();
  start();
  // The calls of one connection arrive in any order: any one may be refused.
  const auto shed = [this] {
    return server_->metrics().Render().find(
        "slice_shed_total{reason=\"recommend_queue_full\"} 1");
  };
  while (shed() == std::string::npos) std::this_thread::yield();
  gate_.Open();
  int refused = 0;
  for (auto& stream : streams) {
    v1::RecommendLinksResponse reply;
    while (stream->Read(&reply)) continue;
    const grpc::Status status = stream->Finish();
    if (status.ok()) continue;
    ++refused;
    EXPECT_EQ(status.error_code(), grpc::RESOURCE_EXHAUSTED);
    google::rpc::Status details;
    ASSERT_TRUE(details.ParseFromString(status.error_details()));
    google::rpc::RetryInfo retry;
    ASSERT_EQ(details.details_size(), 1);
    EXPECT_TRUE(details.details(0).UnpackTo(&retry));
  }
  EXPECT_EQ(refused, 1);
}

TEST_F(RecommendLinksCallTest, IsUnavailableWhileStopping) {
  ASSERT_TRUE(Call(Request()).ok());
  server_->Shutdown();
  EXPECT_EQ(Call(Request()).error_code(), grpc::UNAVAILABLE);
}

}  // namespace
}  // namespace slice
