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

// The explanation of the toy link with a context of its tokens.
v1::Explanation ExplanationWithAContext() {
  v1::Explanation reply = ToyLinkResult().explanation();
  v1::ExplainedContext* context = reply.add_contexts();
  *context->mutable_tokens() = reply.tokens();
  *context->mutable_edges() = reply.edges();
  *context->mutable_attention() = reply.attention();
  context->set_logit(1.5f);
  context->set_probability(0.75f);
  reply.set_context_pooling("max");
  return reply;
}

TEST(ProtoConversionTest, ReadsEachContext) {
  EXPECT_TRUE(FromProto(ToyLinkResult())->explanation->contexts.empty());
  const auto explanation = FromProto(ExplanationWithAContext());
  ASSERT_TRUE(explanation.ok()) << explanation.status();
  EXPECT_EQ(explanation->context_pooling, "max");
  ASSERT_EQ(explanation->contexts.size(), 1);
  const ExplainedContext& context = explanation->contexts[0];
  EXPECT_EQ(context.logit, 1.5f);
  EXPECT_EQ(context.probability, 0.75f);
  ASSERT_EQ(context.tokens.size(), 4);
  EXPECT_EQ(context.tokens[3].node.key, "wget");
  EXPECT_EQ(context.edges.size(), explanation->edges.size());
  EXPECT_EQ(context.attention.weights, explanation->attention.weights);
}

TEST(ProtoConversionTest, ChecksEachContext) {
  v1::Explanation reply = ExplanationWithAContext();
  reply.mutable_contexts(0)->mutable_edges(0)->set_source(7);
  EXPECT_THAT(std::string(FromProto(reply).status().message()),
              HasSubstr("edge names token 7"));
  reply = ExplanationWithAContext();
  reply.mutable_contexts(0)->mutable_attention()->set_layers(3);
  EXPECT_THAT(std::string(FromProto(reply).status().message()),
              HasSubstr("16 weights"));
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
