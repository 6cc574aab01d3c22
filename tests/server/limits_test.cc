// A request beyond a limit of server/limits.h is refused by each RPC that takes
// it, and the message names the limit.
#include "server/limits.h"

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/server/test_server.h"

namespace slice {
namespace {

using ::testing::HasSubstr;

class LimitsTest : public ::testing::Test {
 protected:
  LimitsTest() { test_.Serve(); }

  grpc::Status Predict(const v1::PredictLinksRequest& request) {
    grpc::ClientContext context;
    v1::PredictLinksResponse response;
    return test_.links->PredictLinks(&context, request, &response);
  }

  grpc::Status PredictOnStream(const v1::PredictLinksRequest& request) {
    grpc::ClientContext context;
    const auto stream = test_.links->StreamPredictLinks(&context);
    EXPECT_TRUE(stream->Write(request));
    v1::PredictLinksResponse response;
    EXPECT_FALSE(stream->Read(&response));
    return stream->Finish();
  }

  grpc::Status Recommend(const v1::RecommendLinksRequest& request) {
    grpc::ClientContext context;
    const auto stream = test_.links->RecommendLinks(&context, request);
    v1::RecommendLinksResponse response;
    EXPECT_FALSE(stream->Read(&response));
    return stream->Finish();
  }

  void ExpectRefused(const v1::PredictLinksRequest& request,
                     const std::string& limit) {
    for (const grpc::Status& status :
         {Predict(request), PredictOnStream(request)}) {
      EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
      EXPECT_THAT(status.error_message(), HasSubstr(limit));
    }
    // The refused request holds no room.
    EXPECT_TRUE(Predict(CurlRequest()).ok());
  }

  TestServer test_;
};

TEST_F(LimitsTest, OfLinks) {
  EXPECT_TRUE(Predict(CurlRequest(kMaxLinksPerRequest)).ok());
  ExpectRefused(CurlRequest(kMaxLinksPerRequest + 1),
                "links: holds 1025 links, at most 1024 are allowed");
}

// Millions of empty links are counted, up to a number, and not parsed.
TEST_F(LimitsTest, OfLinksBeforeTheyAreParsed) {
  v1::PredictLinksRequest request;
  for (int i = 0; i < 1 << 20; ++i) request.add_links();
  ExpectRefused(request,
                "links: holds more than 8192 links, at most 1024 are allowed");
}

// A request that is too large to be parsed costs as much as the largest that is
// allowed.
TEST(LimitsOfQuotasTest, AnOversizedRequestIsCharged) {
  ServerOptions options = TestServerOptions();
  options.quotas.of(QuotaKind::kLinks) = 100;
  TestServer test(options);
  test.Serve();
  const auto predict = [&](const v1::PredictLinksRequest& request) {
    grpc::ClientContext context;
    v1::PredictLinksResponse response;
    return test.links->PredictLinks(&context, request, &response).error_code();
  };
  v1::PredictLinksRequest request;
  for (int i = 0; i < 1 << 20; ++i) request.add_links();
  EXPECT_EQ(predict(request), grpc::INVALID_ARGUMENT);
  EXPECT_EQ(predict(request), grpc::RESOURCE_EXHAUSTED) << "its quota is used";
  EXPECT_EQ(predict(CurlRequest()), grpc::RESOURCE_EXHAUSTED);
}

// gRPC would inflate a request before it checks its size: a few megabytes of
// zeros become gigabytes.
TEST_F(LimitsTest, CompressedRequestsAreRefused) {
  for (const auto algorithm : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    grpc::ClientContext context;
    context.set_compression_algorithm(algorithm);
    v1::PredictLinksResponse response;
    const grpc::Status status =
        test_.links->PredictLinks(&context, CurlRequest(200), &response);
    EXPECT_EQ(status.error_code(), grpc::UNIMPLEMENTED);
    EXPECT_THAT(status.error_message(), HasSubstr("ompression"));
  }
  EXPECT_TRUE(Predict(CurlRequest()).ok());
}

TEST_F(LimitsTest, OfTexts) {
  v1::PredictLinksRequest request = CurlRequest(3);
  request.mutable_links(2)->mutable_target()->set_key(
      std::string(kMaxTextBytes + 1, 'x'));
  ExpectRefused(
      request, "links[2].target.key: has 1025 bytes, at most 1024 are allowed");
}

// Each text is short enough, but all of them together are too long.
TEST_F(LimitsTest, OfBytes) {
  v1::PredictLinksRequest request = CurlRequest(kMaxLinksPerRequest);
  for (v1::LinkRef& link : *request.mutable_links()) {
    for (v1::NodeRef* node : {link.mutable_source(), link.mutable_target()}) {
      node->set_key(std::string(kMaxTextBytes, 'x'));
      node->set_type(std::string(kMaxTextBytes, 'y'));
    }
  }
  ASSERT_GT(request.ByteSizeLong(), static_cast<size_t>(kMaxReceiveBytes));
  ASSERT_LT(request.ByteSizeLong(), static_cast<size_t>(kMaxTransportBytes));
  ExpectRefused(request, "bytes, at most 4194304 are allowed");
}

TEST_F(LimitsTest, OfBytesBeforeTheyAreRead) {
  v1::PredictLinksRequest request = CurlRequest();
  request.mutable_links(0)->set_relation(
      std::string(kMaxTransportBytes + 1, 'x'));
  const grpc::Status status = Predict(request);
  EXPECT_EQ(status.error_code(), grpc::RESOURCE_EXHAUSTED);
  EXPECT_THAT(status.error_message(), HasSubstr("8388608"));
  EXPECT_TRUE(Predict(CurlRequest()).ok());
}

TEST_F(LimitsTest, OfRecommendations) {
  v1::RecommendLinksRequest request;
  request.mutable_source()->set_key("curl");
  request.set_relation("depends");
  request.set_k(kMaxRecommendations + 1);
  grpc::Status status = Recommend(request);
  EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("k: 1001 is not in [1, 1000]"));

  request.set_k(1);
  for (int i = 0; i <= kMaxRecommendCandidates; ++i)
    request.add_candidates()->set_key("curl");
  status = Recommend(request);
  EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(),
              HasSubstr("candidates: holds 10001 nodes, at most 10000"));
}

}  // namespace
}  // namespace slice
