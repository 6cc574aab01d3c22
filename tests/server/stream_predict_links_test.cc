#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "server/limits.h"
#include "server/transport/unread_answers.h"
#include "tests/server/test_server.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class StreamPredictLinksTest : public ::testing::Test {
 protected:
  using Stream = grpc::ClientReaderWriter<v1::PredictLinksRequest,
                                          v1::PredictLinksResponse>;

  std::unique_ptr<Stream> Open() {
    context_ = std::make_unique<grpc::ClientContext>();
    return test_.links->StreamPredictLinks(context_.get());
  }
  static v1::PredictLinksRequest RequestFor(const std::string& target) {
    v1::PredictLinksRequest request = CurlRequest();
    request.mutable_links(0)->mutable_target()->set_key(target);
    return request;
  }

  TestServer test_;
  std::unique_ptr<grpc::ClientContext> context_;
};

TEST_F(StreamPredictLinksTest, AnswersInOrderLikeUnaryCalls) {
  test_.Serve();
  const std::vector<std::string> targets = {"libssl3", "libcurl4", "firefox",
                                            "privoxy", "nowhere"};
  const auto stream = Open();
  std::thread writer([&] {
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(stream->Write(RequestFor(targets[i % targets.size()])));
    }
    stream->WritesDone();
  });
  v1::PredictLinksResponse response;
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(stream->Read(&response)) << i;
    v1::PredictLinksResponse expected;
    grpc::ClientContext context;
    ASSERT_TRUE(test_.links
                    ->PredictLinks(&context,
                                   RequestFor(targets[i % targets.size()]),
                                   &expected)
                    .ok());
    EXPECT_EQ(response.SerializeAsString(), expected.SerializeAsString());
  }
  EXPECT_FALSE(stream->Read(&response));
  writer.join();
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(StreamPredictLinksTest,
       AMalformedRequestEndsTheStreamAfterWhatWasAsked) {
  test_.Serve();
  const auto stream = Open();
  ASSERT_TRUE(stream->Write(RequestFor("libssl3")));
  ASSERT_TRUE(stream->Write(v1::PredictLinksRequest()));
  v1::PredictLinksResponse response;
  EXPECT_TRUE(stream->Read(&response));
  EXPECT_FALSE(stream->Read(&response));
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("links"));
}

TEST_F(StreamPredictLinksTest, WhatDoesNotFitIsAnsweredSo) {
  ServerOptions options = TestServerOptions();
  options.max_queue_items = kMaxLinksPerRequest;
  TestServer test(options);
  test.Serve();
  test.fake.scorer->Hold();
  grpc::ClientContext context;
  const auto stream = test.links->StreamPredictLinks(&context);
  ASSERT_TRUE(stream->Write(CurlRequest(kMaxLinksPerRequest)));
  ASSERT_TRUE(stream->Write(CurlRequest(3)));
  test.fake.scorer->WaitForHeldCalls(1);
  test.AwaitMetric("slice_shed_total{reason=\"queue_full\"} 3");
  test.fake.scorer->Release();
  v1::PredictLinksResponse response;
  ASSERT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.results_size(), kMaxLinksPerRequest);
  EXPECT_EQ(response.results(0).status().code(), 0);
  ASSERT_TRUE(stream->Read(&response));
  ASSERT_EQ(response.results_size(), 3);
  for (const auto& result : response.results()) {
    EXPECT_EQ(result.status().code(), grpc::RESOURCE_EXHAUSTED);
    EXPECT_EQ(result.status().details_size(), 1);  // the RetryInfo
  }
  stream->WritesDone();
  EXPECT_TRUE(stream->Finish().ok());
}

// While no request is answered, at most kMaxStreamRequests are read.
TEST_F(StreamPredictLinksTest, WhoGoesOnAfterManyRefusalsForItsQuotaIsEnded) {
  ServerOptions options = TestServerOptions();
  options.quotas.of(QuotaKind::kLinks) = 0.001;
  TestServer test(options);
  test.Serve();
  grpc::ClientContext context;
  const auto stream = test.links->StreamPredictLinks(&context);
  size_t answered = 0, refused = 0;
  v1::PredictLinksResponse response;
  while (stream->Write(CurlRequest()) && stream->Read(&response)) {
    ++(response.results(0).status().code() != 0 ? refused : answered);
  }
  EXPECT_EQ(answered, 1);
  EXPECT_EQ(refused, kMaxStreamRequests + 1);
  const grpc::Status status = stream->Finish();
  EXPECT_EQ(status.error_code(), grpc::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("its quota of 0.001 links"));
}

TEST_F(StreamPredictLinksTest, AClientWithoutAnswersIsReadNoFurther) {
  test_.Serve();
  test_.fake.scorer->Hold();
  const auto stream = Open();
  std::thread writer([&] {
    for (int i = 0; i < 60; ++i) stream->Write(RequestFor("libssl3"));
    stream->WritesDone();
  });
  const auto inside = [&] {
    const std::string text = test_.server->metrics().Render();
    const std::string name = "\nslice_queue_items ";
    return std::stod(text.substr(text.find(name) + name.size()));
  };
  while (inside() < kMaxStreamRequests) std::this_thread::yield();
  for (int i = 0; i < 200; ++i) {
    ASSERT_LE(inside(), kMaxStreamRequests);
    std::this_thread::yield();
  }
  test_.fake.scorer->Release();
  v1::PredictLinksResponse response;
  int answers = 0;
  while (stream->Read(&response)) ++answers;
  writer.join();
  EXPECT_EQ(answers, 60);
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(StreamPredictLinksTest, AClientThatLeavesFreesItsPlace) {
  test_.Serve();
  test_.fake.scorer->Hold();
  const auto stream = Open();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(stream->Write(RequestFor("libssl3")));
  test_.fake.scorer->WaitForHeldCalls(1);
  context_->TryCancel();
  EXPECT_EQ(stream->Finish().error_code(), grpc::CANCELLED);
  test_.fake.scorer->Release();
  // The stream ends although its client does not read any more.
  const std::string ended =
      "grpc_server_handling_seconds_count{grpc_method="
      "\"StreamPredictLinks\",grpc_service=\"slice.v1.LinkPredictionService\"}"
      " 1";
  test_.AwaitMetric(ended);
}

// Its answers, some 30 MB, would stay in the server until the client goes.
TEST_F(StreamPredictLinksTest, AClientThatReadsNothingIsEnded) {
  ServerOptions options = TestServerOptions();
  options.max_deadline = absl::Milliseconds(500);
  TestServer test(options);
  test.Serve();
  grpc::ClientContext context;
  const auto stream = test.links->StreamPredictLinks(&context);
  v1::PredictLinksRequest request = CurlRequest(1000);
  request.set_explanation_level(v1::EXPLANATION_LEVEL_CONTEXT);
  std::thread writer([&] {
    while (stream->Write(request)) {
    }
  });
  const std::string ended =
      "grpc_server_handled_total{grpc_code=\"CANCELLED\",grpc_method="
      "\"StreamPredictLinks\",grpc_service=\"slice.v1.LinkPredictionService\"}"
      " 1";
  test.AwaitMetric(ended);
  writer.join();
  context.TryCancel();
  EXPECT_EQ(stream->Finish().error_code(), grpc::CANCELLED);
}

// A slow client gets all answers, though each of them is large and most wait
// for longer than max_deadline.
TEST_F(StreamPredictLinksTest, AClientThatReadsSlowlyIsNot) {
  ServerOptions options = TestServerOptions();
  options.max_deadline = absl::Seconds(2);
  TestServer test(options);
  test.Serve();
  grpc::ClientContext context;
  const auto stream = test.links->StreamPredictLinks(&context);
  v1::PredictLinksRequest request = CurlRequest(400);
  request.set_explanation_level(v1::EXPLANATION_LEVEL_CONTEXT);
  constexpr int kRequests = 12;
  std::thread writer([&] {
    for (int i = 0; i < kRequests && stream->Write(request); ++i) {
    }
    stream->WritesDone();
  });
  v1::PredictLinksResponse response;
  const absl::Time begin = absl::Now();
  int answers = 0;
  while (stream->Read(&response)) {
    ++answers;
    EXPECT_GT(response.ByteSizeLong(), UnreadAnswers::kSmallBytes);
    while (absl::Now() < begin + answers * absl::Milliseconds(300)) {
      std::this_thread::yield();
    }
  }
  writer.join();
  EXPECT_EQ(answers, kRequests);
  EXPECT_TRUE(stream->Finish().ok());
}

TEST_F(StreamPredictLinksTest, AStoppingServerAnswersWhatItReadAndEndsIt) {
  test_.Serve();
  test_.fake.scorer->Hold();
  const auto stream = Open();
  ASSERT_TRUE(stream->Write(RequestFor("libssl3")));
  test_.fake.scorer->WaitForHeldCalls(1);
  std::thread stopper([&] { test_.server->Shutdown(); });
  test_.fake.scorer->Release();
  v1::PredictLinksResponse response;
  EXPECT_TRUE(stream->Read(&response));
  EXPECT_EQ(response.results_size(), 1);
  EXPECT_FALSE(stream->Read(&response));
  EXPECT_EQ(stream->Finish().error_code(), grpc::UNAVAILABLE);
  stopper.join();
}

}  // namespace
}  // namespace slice
