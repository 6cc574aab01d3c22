#include "server/link_prediction_server.h"

#include <gmock/gmock.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "common/files.h"
#include "google/rpc/error_details.pb.h"
#include "server/limits.h"
#include "tests/server/test_server.h"
#include "tests/testing/temp_directory.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

Link CurlLink(const TestServer& test) {
  return ToyLink(*test.fake.served->snapshot, "curl", "depends", "libssl3");
}

int64_t Trailer(const grpc::ClientContext& context, const std::string& name) {
  const auto& trailers = context.GetServerTrailingMetadata();
  const auto found = trailers.find(name);
  if (found == trailers.end()) return -1;
  return std::stoll(std::string(found->second.data(), found->second.size()));
}

TEST(LinkPredictionServerTest, AnswersWithScoresBundleAndTrailers) {
  TestServer test;
  test.Serve();
  grpc::ClientContext context;
  v1::PredictLinksResponse response;
  const grpc::Status status =
      test.links->PredictLinks(&context, CurlRequest(3), &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  ASSERT_EQ(response.results_size(), 3);
  const Prediction expected = FakePrediction(CurlLink(test));
  for (const v1::LinkResult& result : response.results()) {
    EXPECT_EQ(result.status().code(), 0);
    EXPECT_EQ(result.source().key(), "curl");
    EXPECT_EQ(result.relation(), "depends");
    EXPECT_EQ(result.target().name(), "TLS library");
    EXPECT_EQ(result.logit(), expected.logit);
    EXPECT_EQ(result.probability(), expected.probability);
    EXPECT_EQ(result.decision(), expected.decision);
    EXPECT_FALSE(result.has_explanation());
  }
  EXPECT_EQ(response.bundle_id(), "bundle-default");
  EXPECT_GE(Trailer(context, "slice-queue-micros"), 0);
  EXPECT_GT(Trailer(context, "slice-context-micros"), 0);
  EXPECT_GE(Trailer(context, "slice-model-micros"), 0);
  EXPECT_GE(Trailer(context, "slice-batch-size"), 1);
}

TEST(LinkPredictionServerTest, ExplainsOnRequest) {
  TestServer test;
  test.Serve();
  grpc::ClientContext context;
  v1::PredictLinksRequest request = CurlRequest();
  request.set_explanation_level(v1::EXPLANATION_LEVEL_CONTEXT);
  v1::PredictLinksResponse response;
  ASSERT_TRUE(test.links->PredictLinks(&context, request, &response).ok());
  const v1::Explanation& explanation = response.results(0).explanation();
  EXPECT_GE(explanation.tokens_size(), 3);
  EXPECT_THAT(explanation.summary(), HasSubstr("curl -depends-> "));
}

// A bundle without pair features, such as one of the preset paper, has the
// scorer context alone.
TEST(LinkPredictionServerTest, AScorerThatTheBundleLacksIsRefused) {
  TestServer test;
  std::const_pointer_cast<ServedModel>(test.fake.served)
      ->manifest.pair_features.clear();
  test.Serve();
  for (const auto& [scorer, code] :
       {std::pair("context", grpc::OK),
        std::pair("structural", grpc::FAILED_PRECONDITION),
        std::pair("ends", grpc::FAILED_PRECONDITION)}) {
    v1::PredictLinksRequest request = CurlRequest();
    request.set_scorer(scorer);
    grpc::ClientContext context;
    v1::PredictLinksResponse response;
    const grpc::Status status =
        test.links->PredictLinks(&context, request, &response);
    EXPECT_EQ(status.error_code(), code) << scorer;
    if (status.ok()) continue;
    EXPECT_THAT(status.error_message(), HasSubstr("it answers by context"));
    // The same over a stream.
    grpc::ClientContext stream_context;
    const auto stream = test.links->StreamPredictLinks(&stream_context);
    ASSERT_TRUE(stream->Write(request));
    stream->WritesDone();
    while (stream->Read(&response)) {
    }
    EXPECT_EQ(stream->Finish().error_code(), code) << scorer;
  }
}

TEST(LinkPredictionServerTest, AnUnknownNodeConcernsItsLinkAlone) {
  TestServer test;
  test.Serve();
  v1::PredictLinksRequest request = CurlRequest(3);
  request.mutable_links(1)->mutable_target()->set_key("libssl4");
  request.mutable_links(2)->mutable_target()->set_name("OpenSSL");
  grpc::ClientContext context;
  v1::PredictLinksResponse response;
  ASSERT_TRUE(test.links->PredictLinks(&context, request, &response).ok());
  ASSERT_EQ(response.results_size(), 3);
  EXPECT_EQ(response.results(0).status().code(), grpc::OK);
  EXPECT_EQ(response.results(1).status().code(), grpc::NOT_FOUND);
  EXPECT_THAT(response.results(1).status().message(), HasSubstr("libssl3"));
  EXPECT_EQ(response.results(2).status().code(), grpc::FAILED_PRECONDITION);
}

TEST(LinkPredictionServerTest, MalformedRequestsAreRefused) {
  TestServer test;
  test.Serve();
  v1::PredictLinksResponse response;
  {
    grpc::ClientContext context;
    EXPECT_EQ(
        test.links->PredictLinks(&context, v1::PredictLinksRequest(), &response)
            .error_code(),
        grpc::INVALID_ARGUMENT);
  }
  {
    grpc::ClientContext context;
    v1::PredictLinksRequest request = CurlRequest();
    request.set_request_class(static_cast<v1::RequestClass>(7));
    const grpc::Status status =
        test.links->PredictLinks(&context, request, &response);
    EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
    EXPECT_THAT(status.error_message(), HasSubstr("request_class"));
  }
  {
    grpc::ClientContext context;
    v1::PredictLinksRequest request = CurlRequest();
    request.set_model("other");
    const grpc::Status status =
        test.links->PredictLinks(&context, request, &response);
    EXPECT_EQ(status.error_code(), grpc::NOT_FOUND);
    EXPECT_THAT(status.error_message(), HasSubstr("default"));
  }
  {
    grpc::ClientContext context;
    v1::PredictLinksRequest request = CurlRequest();
    request.mutable_links(0)->set_relation(std::string(9 << 20, 'x'));
    EXPECT_EQ(
        test.links->PredictLinks(&context, request, &response).error_code(),
        grpc::RESOURCE_EXHAUSTED);
  }
}

TEST(LinkPredictionServerTest, BeforeTheModelIsLoadedRequestsAreUnavailable) {
  TestServer test;
  grpc::ClientContext context;
  v1::PredictLinksResponse response;
  EXPECT_EQ(
      test.links->PredictLinks(&context, CurlRequest(), &response).error_code(),
      grpc::UNAVAILABLE);
}

TEST(LinkPredictionServerTest, ALateCallEndsWithDeadlineExceeded) {
  ServerOptions options = TestServerOptions();
  options.max_deadline = absl::Milliseconds(20);
  TestServer test(options);
  test.Serve();
  test.fake.scorer->Hold();
  // The first call holds the executor; it has two links, because gRPC's own
  // thread would run a single one. The second call waits until the server's
  // max_deadline has passed, although its client would wait longer.
  std::thread holder([&] {
    grpc::ClientContext context;
    v1::PredictLinksResponse response;
    test.links->PredictLinks(&context, CurlRequest(2), &response);
  });
  test.fake.scorer->WaitForHeldCalls(1);
  grpc::ClientContext context;
  v1::PredictLinksResponse response;
  grpc::Status status;
  std::thread late([&] {
    status = test.links->PredictLinks(&context, CurlRequest(), &response);
  });
  // Both deadlines pass before the scorer is released.
  const absl::Time released = absl::Now() + absl::Milliseconds(200);
  while (absl::Now() < released) std::this_thread::yield();
  test.fake.scorer->Release();
  holder.join();
  late.join();
  EXPECT_EQ(status.error_code(), grpc::DEADLINE_EXCEEDED);
  EXPECT_EQ(test.fake.scorer->links().size(), 2);
}

// Starts a call of kMaxLinksPerRequest links and returns when it is inside. The
// call is answered once the scorer is released.
std::thread FillWithOneCall(TestServer& test) {
  test.fake.scorer->Hold();
  std::thread call([&test] {
    grpc::ClientContext context;
    v1::PredictLinksResponse response;
    EXPECT_TRUE(test.links
                    ->PredictLinks(&context, CurlRequest(kMaxLinksPerRequest),
                                   &response)
                    .ok());
  });
  test.fake.scorer->WaitForHeldCalls(1);
  return call;
}

TEST(LinkPredictionServerTest, AFullServerSaysWhenToRetry) {
  ServerOptions options = TestServerOptions();
  options.max_queue_items = kMaxLinksPerRequest;
  TestServer test(options);
  test.Serve();
  std::thread holder = FillWithOneCall(test);
  grpc::ClientContext context;
  v1::PredictLinksResponse response;
  const grpc::Status status =
      test.links->PredictLinks(&context, CurlRequest(), &response);
  test.fake.scorer->Release();
  holder.join();
  EXPECT_EQ(status.error_code(), grpc::RESOURCE_EXHAUSTED);
  google::rpc::Status details;
  ASSERT_TRUE(details.ParseFromString(status.error_details()));
  ASSERT_EQ(details.details_size(), 1);
  EXPECT_TRUE(details.details(0).Is<google::rpc::RetryInfo>());
}

// Sends `text` as the request of a PredictLinks call.
grpc::Status PredictBytes(const TestServer& test, const std::string& text) {
  grpc::GenericStub stub(test.channel);
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  const grpc::Slice slice(text);
  const auto reader = stub.PrepareUnaryCall(
      &context, "/slice.v1.LinkPredictionService/PredictLinks",
      grpc::ByteBuffer(&slice, 1), &queue);
  reader->StartCall();
  grpc::ByteBuffer response;
  grpc::Status status;
  reader->Finish(&response, &status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  return status;
}

TEST(LinkPredictionServerTest, AFullServerDoesNotReadWhatItRefuses) {
  const std::string no_link = "\x0a\x02\xff\xff";  // field 1 is no link
  ServerOptions options = TestServerOptions();
  options.max_queue_items = kMaxLinksPerRequest;
  TestServer test(options);
  test.Serve();
  EXPECT_EQ(PredictBytes(test, no_link).error_code(), grpc::INVALID_ARGUMENT);
  std::thread holder = FillWithOneCall(test);
  EXPECT_EQ(PredictBytes(test, no_link).error_code(), grpc::RESOURCE_EXHAUSTED);
  test.fake.scorer->Release();
  holder.join();
}

grpc::health::v1::HealthCheckResponse::ServingStatus Readiness(
    TestServer& test) {
  grpc::ClientContext context;
  grpc::health::v1::HealthCheckRequest request;
  request.set_service("slice.v1.LinkPredictionService");
  grpc::health::v1::HealthCheckResponse response;
  EXPECT_TRUE(test.health->Check(&context, request, &response).ok());
  return response.status();
}

using grpc::health::v1::HealthCheckResponse;

TEST(LinkPredictionServerTest, ALostDeviceIsNotServingAndEndsTheServer) {
  TestServer test;
  int stops = 0;
  test.server->CallOnDeviceLoss([&] {
    EXPECT_EQ(Readiness(test), HealthCheckResponse::NOT_SERVING);
    ++stops;
  });
  test.Serve();
  EXPECT_EQ(Readiness(test), HealthCheckResponse::SERVING);
  EXPECT_THAT(test.server->metrics().Render(), HasSubstr("slice_gpu_lost 0"));
  const absl::Status loss = DeviceLostError("illegal address");
  test.server->device_health().MarkLost(loss);
  test.server->device_health().MarkLost(loss);
  EXPECT_EQ(Readiness(test), HealthCheckResponse::NOT_SERVING);
  EXPECT_EQ(stops, 1);
  const std::string metrics = test.server->metrics().Render();
  EXPECT_THAT(metrics, HasSubstr("slice_gpu_lost 1"));
  EXPECT_THAT(metrics, HasSubstr("slice_ready 0"));
  EXPECT_THAT(metrics, HasSubstr("slice_gpu_memory_total_bytes 0"));
  // Later requests get UNAVAILABLE.
  test.fake.scorer->FailWith(loss);
  grpc::ClientContext context;
  v1::PredictLinksResponse response;
  const grpc::Status status =
      test.links->PredictLinks(&context, CurlRequest(), &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.results(0).status().code(), grpc::UNAVAILABLE);
}

TEST(LinkPredictionServerTest, AServerWhoseCpuTakesOverStaysReady) {
  ServerOptions options = TestServerOptions();
  options.on_device_loss = DeviceLossPolicy::kFallBackToCpu;
  TestServer test(options);
  test.server->CallOnDeviceLoss([] { ADD_FAILURE() << "must not stop"; });
  test.Serve();
  test.server->device_health().MarkLost(DeviceLostError("illegal address"));
  EXPECT_EQ(Readiness(test), HealthCheckResponse::SERVING);
  EXPECT_THAT(test.server->metrics().Render(), HasSubstr("slice_gpu_lost 1"));
}

TEST(LinkPredictionServerTest, TheOtherMethodsAnswer) {
  TestServer test;
  test.Serve();
  {
    grpc::ClientContext context;
    v1::GetModelInfoResponse info;
    ASSERT_TRUE(test.links->GetModelInfo(&context, {}, &info).ok());
    EXPECT_EQ(info.bundle_id(), "bundle-default");
  }
  {
    grpc::ClientContext context;
    v1::ListRelationsResponse list;
    ASSERT_TRUE(test.links->ListRelations(&context, {}, &list).ok());
    EXPECT_EQ(list.relations_size(), 6);
  }
  {
    grpc::ClientContext context;
    v1::FindNodesRequest request;
    request.set_prefix("cur");
    v1::FindNodesResponse found;
    ASSERT_TRUE(test.links->FindNodes(&context, request, &found).ok());
    ASSERT_EQ(found.nodes_size(), 1);
    EXPECT_EQ(found.nodes(0).key(), "curl");
  }
  {
    grpc::ClientContext context;
    v1::GetNeighborsRequest request;
    request.mutable_node()->set_key("curl");
    v1::GetNeighborsResponse neighbors;
    ASSERT_TRUE(test.graph->GetNeighbors(&context, request, &neighbors).ok());
    EXPECT_GE(neighbors.total(), 3);
  }
}

TEST(LinkPredictionServerTest, TheAdminListenerAnswersHealthChecks) {
  const TempDirectory directory;
  ServerOptions options = TestServerOptions();
  options.admin_listen = "unix:" + (directory / "admin.sock").string();
  TestServer test(options);
  test.Serve();
  const auto health = grpc::health::v1::Health::NewStub(grpc::CreateChannel(
      test.server->admin_address(), grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  grpc::health::v1::HealthCheckRequest request;
  request.set_service("slice.v1.LinkPredictionService");
  grpc::health::v1::HealthCheckResponse response;
  const grpc::Status status = health->Check(&context, request, &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::SERVING);
}

TEST(LinkPredictionServerTest, TheAccessLineNamesTheModelAndTheStages) {
  const TempDirectory directory;
  ServerOptions options = TestServerOptions();
  options.call_log = {.access_file = directory / "access", .access_share = 1};
  TestServer test(options);
  test.Serve();
  {
    grpc::ClientContext context;
    v1::PredictLinksResponse response;
    ASSERT_TRUE(
        test.links->PredictLinks(&context, CurlRequest(), &response).ok());
  }
  const std::string line = *ReadFile(directory / "access");
  EXPECT_THAT(line, HasSubstr("\"model\":\"default@bundle-default\""));
  EXPECT_THAT(line, HasSubstr("\"stages\":{\"queue\":"));
  EXPECT_THAT(line, HasSubstr(",\"context\":"));
  EXPECT_THAT(line, HasSubstr(",\"model\":"));
}

TEST(LinkPredictionServerTest, ARefusedRequestCountsForItsModel) {
  TestServer test;
  test.Serve();
  grpc::ClientContext context;
  v1::PredictLinksResponse response;
  EXPECT_EQ(test.links->PredictLinks(&context, {}, &response).error_code(),
            grpc::INVALID_ARGUMENT);
  EXPECT_THAT(test.server->metrics().Render(),
              HasSubstr("slice_model_requests_total{grpc_code=\"INVALID_"
                        "ARGUMENT\",model=\"default\"} 1"));
}

// Asks the reflection service for the list of services, without its generated
// code: the request holds field 7, which is empty.
TEST(LinkPredictionServerTest, ReflectionListsTheServices) {
  TestServer test;
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  grpc::GenericStub stub(test.channel);
  auto call = stub.PrepareCall(
      &context,
      "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", &queue);
  const auto wait = [&queue] {
    void* tag = nullptr;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  call->StartCall(nullptr);
  ASSERT_TRUE(wait());
  const grpc::Slice list_services("\x3a\x00", 2);
  call->Write(grpc::ByteBuffer(&list_services, 1), nullptr);
  ASSERT_TRUE(wait());
  grpc::ByteBuffer reply;
  call->Read(&reply, nullptr);
  ASSERT_TRUE(wait());
  grpc::Slice bytes;
  ASSERT_TRUE(reply.DumpToSingleSlice(&bytes).ok());
  const std::string text(reinterpret_cast<const char*>(bytes.begin()),
                         bytes.size());
  for (const char* service :
       {"slice.v1.LinkPredictionService", "slice.v1.GraphService",
        "grpc.health.v1.Health"}) {
    EXPECT_THAT(text, HasSubstr(service));
  }
  call->WritesDone(nullptr);
  ASSERT_TRUE(wait());
  grpc::Status status;
  call->Finish(&status, nullptr);
  ASSERT_TRUE(wait());
  EXPECT_TRUE(status.ok()) << status.error_message();
}

TEST(LinkPredictionServerTest, APortInUseIsRefusedInOneLine) {
  ServerOptions with_metrics = TestServerOptions();
  with_metrics.metrics_listen = "127.0.0.1:0";
  TestServer test(with_metrics);
  ServerOptions options = TestServerOptions();
  options.listen = test.server->address();
  const auto second = LinkPredictionServer::Listen(options);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(second.status().message()),
              HasSubstr(test.server->address()));

  options = TestServerOptions();
  options.metrics_listen = test.server->metrics_address();
  EXPECT_EQ(LinkPredictionServer::Listen(options).status().code(),
            absl::StatusCode::kUnavailable);
}

TEST(LinkPredictionServerTest, ShutdownUnderLoadAnswersEveryAdmittedRequest) {
  TestServer test;
  test.Serve();
  std::atomic<int> answered{0}, unavailable{0}, other{0};
  std::vector<std::thread> clients;
  for (int c = 0; c < 4; ++c) {
    clients.emplace_back([&] {
      while (true) {
        grpc::ClientContext context;
        v1::PredictLinksResponse response;
        const grpc::Status status =
            test.links->PredictLinks(&context, CurlRequest(8), &response);
        if (status.ok() && response.results_size() == 8) {
          ++answered;
        } else if (status.error_code() == grpc::UNAVAILABLE) {
          ++unavailable;
          return;
        } else {
          ++other;
          ADD_FAILURE() << status.error_code() << " " << status.error_message();
          return;
        }
      }
    });
  }
  while (answered < 20) std::this_thread::yield();
  test.server->Shutdown();
  for (auto& client : clients) client.join();
  EXPECT_EQ(unavailable, 4);
  EXPECT_EQ(other, 0);
  // Every link that the model scored is in an answer.
  EXPECT_EQ(test.fake.scorer->links().size(), 8u * answered);
}

TEST(LinkPredictionServerTest, ACancelledCallLeavesTheServerWell) {
  TestServer test;
  test.Serve();
  test.fake.scorer->Hold();
  grpc::ClientContext context;
  std::thread client([&] {
    v1::PredictLinksResponse response;
    EXPECT_EQ(test.links->PredictLinks(&context, CurlRequest(), &response)
                  .error_code(),
              grpc::CANCELLED);
  });
  test.fake.scorer->WaitForHeldCalls(1);
  context.TryCancel();
  client.join();
  test.fake.scorer->Release();
  grpc::ClientContext next;
  v1::PredictLinksResponse response;
  EXPECT_TRUE(test.links->PredictLinks(&next, CurlRequest(), &response).ok());
}

}  // namespace
}  // namespace slice
