#include "client/proto_conversion.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/testing/fake_link_server.h"

namespace slice {
namespace {

using testing::HasSubstr;

TEST(ProtoConversionTest, ReadsAnExplanation) {
  const auto link = FromProto(ToyLinkResult());
  ASSERT_TRUE(link.ok()) << link.status();
  EXPECT_FLOAT_EQ(link->logit_structural, 2.9f);
  EXPECT_FLOAT_EQ(link->logit_context, 0.68f);
  EXPECT_TRUE(link->decision);
  const LinkExplanation& explanation = *link->explanation;
  EXPECT_EQ(explanation.tokens[0].role, ExplainedRole::kSource);
  EXPECT_EQ(explanation.tokens[2].role, ExplainedRole::kBetween);
  EXPECT_EQ(explanation.tokens[2].attention_from_source, 0.5f);
  ASSERT_EQ(explanation.metapath.size(), 4);
  EXPECT_EQ(explanation.metapath[2].token, 3);
  EXPECT_EQ(explanation.metapath[2].direction, ArcDirection::kIn);
  EXPECT_EQ(explanation.attention.weights.size(), 16);
  EXPECT_EQ(explanation.distance, 3);
  EXPECT_EQ(explanation.pair_features[1].name, "three_paths");
}

TEST(ProtoConversionTest, ReadsPathsAndContributions) {
  const auto link = FromProto(ToyPathResult());
  ASSERT_TRUE(link.ok()) << link.status();
  EXPECT_EQ(link->probability_among_kind, 0.8125f);
  const LinkExplanation& explanation = *link->explanation;
  const ExplainedToken& token = explanation.tokens[3];
  EXPECT_EQ(token.kind, ExplainedKind::kPath);
  EXPECT_EQ(token.path_count, 1234);
  ASSERT_EQ(token.path.size(), 3);
  EXPECT_EQ(token.path[1].relation, "depends");
  EXPECT_EQ(token.path[1].direction, ArcDirection::kIn);
  EXPECT_EQ(token.path[1].node.key, "wget");
  EXPECT_TRUE(explanation.tokens[0].path.empty());
  EXPECT_EQ(explanation.metapath_count, 1234);
  EXPECT_EQ(explanation.metapath[2].node.key, "wget");
  EXPECT_EQ(explanation.pair_features[0].contribution, 1.25f);
}

TEST(ProtoConversionTest, AStepWithoutANodeIsAtItsToken) {
  const auto link = FromProto(ToyLinkResult());
  ASSERT_TRUE(link.ok()) << link.status();
  EXPECT_EQ(link->explanation->metapath[2].node.key, "wget");
}

TEST(ProtoConversionTest, RefusesPositionsOutsideTheTokens) {
  v1::Explanation reply = ToyLinkResult().explanation();
  reply.mutable_edges(1)->set_target(4);
  auto explanation = FromProto(reply);
  EXPECT_EQ(explanation.status().code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(explanation.status().message()),
              HasSubstr("edge names token 4"));

  reply = ToyLinkResult().explanation();
  reply.mutable_metapath(3)->set_token(99);
  explanation = FromProto(reply);
  EXPECT_EQ(explanation.status().code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(explanation.status().message()),
              HasSubstr("metapath names token 99"));
}

TEST(ProtoConversionTest, RefusesAttentionOfTheWrongSize) {
  v1::Explanation reply = ToyLinkResult().explanation();
  reply.mutable_attention()->set_heads(2);
  const auto explanation = FromProto(reply);
  EXPECT_EQ(explanation.status().code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(explanation.status().message()),
              HasSubstr("16 weights"));
}

TEST(ProtoConversionTest, KeepsCodesAndMessages) {
  EXPECT_EQ(FromGrpcStatus(grpc::Status(grpc::StatusCode::NOT_FOUND, "x")),
            absl::NotFoundError("x"));
  EXPECT_TRUE(FromGrpcStatus(grpc::Status::OK).ok());
}

TEST(ProtoConversionTest, AFailedLinkHasNothingButItsStatus) {
  v1::LinkResult result;
  result.mutable_status()->set_code(grpc::StatusCode::DEADLINE_EXCEEDED);
  result.mutable_status()->set_message("too late");
  const auto link = FromProto(result);
  ASSERT_TRUE(link.ok());
  EXPECT_EQ(link->status, absl::DeadlineExceededError("too late"));
  EXPECT_FALSE(link->explanation.has_value());
}

}  // namespace
}  // namespace slice
