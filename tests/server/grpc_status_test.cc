#include "server/grpc_status.h"

#include <gtest/gtest.h>

#include "google/rpc/error_details.pb.h"

namespace slice {
namespace {

TEST(GrpcStatusTest, EveryCodeKeepsItsNumberAndMessage) {
  for (int code = 0; code < kGrpcCodeCount; ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code), "why");
    const grpc::Status converted = ToGrpcStatus(status);
    EXPECT_EQ(static_cast<int>(converted.error_code()), code);
    EXPECT_EQ(converted.error_message(), code == 0 ? "" : "why");
    EXPECT_EQ(ToRpcStatus(status).code(), code);
  }
}

TEST(GrpcStatusTest, DetailsTravelInTheTrailer) {
  const grpc::Status status = ToGrpcStatus(WithRetryDelay(
      absl::ResourceExhaustedError("full"), absl::Milliseconds(1250)));
  google::rpc::Status wire;
  ASSERT_TRUE(wire.ParseFromString(status.error_details()));
  EXPECT_EQ(wire.code(), 8);
  EXPECT_EQ(wire.message(), "full");
  ASSERT_EQ(wire.details_size(), 1);
  google::rpc::RetryInfo retry;
  ASSERT_TRUE(wire.details(0).UnpackTo(&retry));
  EXPECT_EQ(retry.retry_delay().seconds(), 1);
  EXPECT_EQ(retry.retry_delay().nanos(), 250000000);
}

TEST(GrpcStatusTest, ARefusalForAQuotaIsKnownOnBothSides) {
  const absl::Status refusal = WithQuotaFailure(
      absl::ResourceExhaustedError("used up"), "web", "5 links per second");
  EXPECT_TRUE(IsQuotaRefusal(refusal));
  EXPECT_TRUE(IsQuotaRefusal(ToGrpcStatus(refusal)));
  const absl::Status full = WithRetryDelay(absl::ResourceExhaustedError("full"),
                                           absl::Milliseconds(1));
  EXPECT_FALSE(IsQuotaRefusal(full));
  EXPECT_FALSE(IsQuotaRefusal(ToGrpcStatus(full)));
  google::rpc::QuotaFailure detail;
  ASSERT_TRUE(ToRpcStatus(refusal).mutable_details(0)->UnpackTo(&detail));
  EXPECT_EQ(detail.violations(0).subject(), "web");
  EXPECT_EQ(detail.violations(0).description(), "5 links per second");
}

TEST(GrpcStatusTest, AFieldErrorNamesTheField) {
  const absl::Status status = InvalidField("links[3].source", "is missing");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "links[3].source: is missing");
}

TEST(GrpcStatusTest, CodesHaveTheirCanonicalNames) {
  EXPECT_EQ(GrpcCodeName(0), "OK");
  EXPECT_EQ(GrpcCodeName(5), "NOT_FOUND");
  EXPECT_EQ(GrpcCodeName(16), "UNAUTHENTICATED");
  EXPECT_EQ(GrpcCodeName(99), "UNKNOWN");
}

}  // namespace
}  // namespace slice
