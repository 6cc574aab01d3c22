#include "server/rpc/health_service.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "absl/time/clock.h"
#include "tests/server/test_server.h"

namespace slice {
namespace {

using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;

constexpr char kLinks[] = "slice.v1.LinkPredictionService";
constexpr char kGraph[] = "slice.v1.GraphService";

HealthCheckRequest For(const std::string& service) {
  HealthCheckRequest request;
  request.set_service(service);
  return request;
}

HealthCheckResponse::ServingStatus Check(TestServer& test,
                                         const std::string& service) {
  grpc::ClientContext context;
  HealthCheckResponse response;
  const grpc::Status status =
      test.health->Check(&context, For(service), &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return response.status();
}

TEST(HealthServiceTest, LivenessIsApartFromReadiness) {
  TestServer test;
  EXPECT_EQ(Check(test, ""), HealthCheckResponse::SERVING);
  EXPECT_EQ(Check(test, kLinks), HealthCheckResponse::NOT_SERVING);
  EXPECT_EQ(Check(test, kGraph), HealthCheckResponse::NOT_SERVING);
  test.Serve();
  EXPECT_EQ(Check(test, kLinks), HealthCheckResponse::SERVING);
  EXPECT_EQ(Check(test, kGraph), HealthCheckResponse::SERVING);
  test.server->EnterLameDuck();
  EXPECT_EQ(Check(test, ""), HealthCheckResponse::SERVING);
  EXPECT_EQ(Check(test, kLinks), HealthCheckResponse::NOT_SERVING);
}

TEST(HealthServiceTest, TheLameDuckStillServes) {
  TestServer test;
  test.Serve();
  test.server->EnterLameDuck();
  grpc::ClientContext context;
  v1::PredictLinksResponse response;
  EXPECT_TRUE(
      test.links->PredictLinks(&context, CurlRequest(), &response).ok());
}

TEST(HealthServiceTest, AnUnknownServiceIsNotFound) {
  TestServer test;
  grpc::ClientContext context;
  HealthCheckResponse response;
  EXPECT_EQ(test.health->Check(&context, For("nope"), &response).error_code(),
            grpc::NOT_FOUND);
}

TEST(HealthServiceTest, ListTellsAll) {
  TestServer test;
  test.Serve();
  grpc::ClientContext context;
  grpc::health::v1::HealthListResponse response;
  ASSERT_TRUE(test.health->List(&context, {}, &response).ok());
  EXPECT_EQ(response.statuses_size(), 3);
  EXPECT_EQ(response.statuses().at(kLinks).status(),
            HealthCheckResponse::SERVING);
}

TEST(HealthServiceTest, AWatchFollowsTheStatusUntilShutdownFinishesIt) {
  TestServer test;
  grpc::ClientContext context;
  auto watch = test.health->Watch(&context, For(kLinks));
  HealthCheckResponse response;
  ASSERT_TRUE(watch->Read(&response));
  EXPECT_EQ(response.status(), HealthCheckResponse::NOT_SERVING);
  test.Serve();
  ASSERT_TRUE(watch->Read(&response));
  EXPECT_EQ(response.status(), HealthCheckResponse::SERVING);
  test.server->EnterLameDuck();
  ASSERT_TRUE(watch->Read(&response));
  EXPECT_EQ(response.status(), HealthCheckResponse::NOT_SERVING);
  // The stream is open. A server that waited for it would take the whole drain
  // timeout of 20 s.
  const absl::Time start = absl::Now();
  test.server->Shutdown();
  EXPECT_LT(absl::Now() - start, absl::Seconds(10));
  while (watch->Read(&response)) {
  }
  EXPECT_EQ(watch->Finish().error_code(), grpc::UNAVAILABLE);
}

TEST(HealthServiceTest, AWatchOfAnUnknownServiceStaysOpen) {
  TestServer test;
  grpc::ClientContext context;
  auto watch = test.health->Watch(&context, For("nope"));
  HealthCheckResponse response;
  ASSERT_TRUE(watch->Read(&response));
  EXPECT_EQ(response.status(), HealthCheckResponse::SERVICE_UNKNOWN);
  context.TryCancel();
  EXPECT_EQ(watch->Finish().error_code(), grpc::CANCELLED);
}

TEST(HealthServiceTest, ManyWatchersComeAndGo) {
  TestServer test;
  for (int i = 0; i < 50; ++i) {
    grpc::ClientContext context;
    auto watch = test.health->Watch(&context, For(kGraph));
    HealthCheckResponse response;
    ASSERT_TRUE(watch->Read(&response));
    context.TryCancel();
    watch->Finish();
    if (i == 25) test.Serve();
  }
  EXPECT_EQ(Check(test, kGraph), HealthCheckResponse::SERVING);
}

}  // namespace
}  // namespace slice
