// The conversion of explanations. The positions of tokens and the size of the
// attention are checked here.
#include "client/explanation_conversion.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace slice {
namespace {

ExplainedKind FromProto(v1::TokenKind kind) {
  switch (kind) {
    case v1::TOKEN_KIND_PATH:
      return ExplainedKind::kPath;
    case v1::TOKEN_KIND_RELATION:
      return ExplainedKind::kRelation;
    default:
      return ExplainedKind::kNode;
  }
}

ExplainedRole FromProto(v1::TokenRole role) {
  switch (role) {
    case v1::TOKEN_ROLE_SOURCE:
      return ExplainedRole::kSource;
    case v1::TOKEN_ROLE_TARGET:
      return ExplainedRole::kTarget;
    case v1::TOKEN_ROLE_BETWEEN:
      return ExplainedRole::kBetween;
    default:
      return ExplainedRole::kNone;
  }
}

ExplainedToken FromProto(const v1::ExplanationToken& token) {
  ExplainedToken explained;
  explained.kind = FromProto(token.kind());
  explained.role = FromProto(token.role());
  explained.node = slice::FromProto(token.node());
  explained.attention_from_source = token.attention_from_source();
  explained.attention_from_target = token.attention_from_target();
  for (const v1::PathStep& step : token.path()) {
    explained.path.push_back({step.relation(),
                              slice::FromProto(step.direction()),
                              slice::FromProto(step.node())});
  }
  explained.path_count = token.path_count();
  explained.logit_effect = token.logit_effect();
  return explained;
}

absl::Status CheckPosition(uint32_t position, size_t tokens,
                           const char* field) {
  if (position < tokens) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("the server's explanation has ",
                                          tokens, " tokens, but its ", field,
                                          " names token ", position));
}

// The part of an enumerator's name behind the name of its enumeration.
std::string KindName(v1::EvidenceKind kind) {
  constexpr size_t kPrefix = sizeof("EVIDENCE_KIND_") - 1;
  const std::string& name = v1::EvidenceKind_Name(kind);
  return name.size() > kPrefix ? name.substr(kPrefix) : "UNSPECIFIED";
}

ExplainedEvidence FromProto(const v1::Evidence& evidence) {
  ExplainedEvidence explained;
  explained.kind = KindName(evidence.kind());
  explained.group = evidence.group();
  if (evidence.kind() == v1::EVIDENCE_KIND_PATHS ||
      evidence.kind() == v1::EVIDENCE_KIND_NODE) {
    explained.token = evidence.token();
  }
  explained.path_count = evidence.path_count();
  explained.logit_effect = evidence.logit_effect();
  explained.probability_without = evidence.probability_without();
  explained.named = evidence.named();
  explained.description = evidence.description();
  return explained;
}

absl::StatusOr<AttentionWeights> CheckedAttention(
    const v1::AttentionMatrix& matrix) {
  AttentionWeights attention;
  attention.layers = matrix.layers();
  attention.heads = matrix.heads();
  attention.tokens = matrix.tokens();
  const uint64_t expected = uint64_t{matrix.layers()} * matrix.heads() *
                            matrix.tokens() * matrix.tokens();
  if (expected != static_cast<uint64_t>(matrix.weights_size())) {
    return absl::InternalError(absl::StrCat(
        "the server's attention has ", matrix.weights_size(), " weights where ",
        matrix.layers(), " x ", matrix.heads(), " x ", matrix.tokens(), " x ",
        matrix.tokens(), " belong"));
  }
  attention.weights.assign(matrix.weights().begin(), matrix.weights().end());
  return attention;
}

// Reads tokens, edges and attention. `Reply` is v1::Explanation or
// v1::ExplainedContext, and `Read` its struct.
template <typename Reply, typename Read>
absl::Status ReadContext(const Reply& reply, Read& read) {
  for (const v1::ExplanationToken& token : reply.tokens()) {
    read.tokens.push_back(FromProto(token));
  }
  const size_t tokens = read.tokens.size();
  for (const v1::ExplanationEdge& edge : reply.edges()) {
    SLICE_RETURN_IF_ERROR(CheckPosition(edge.source(), tokens, "edge"));
    SLICE_RETURN_IF_ERROR(CheckPosition(edge.target(), tokens, "edge"));
    read.edges.push_back({edge.source(), edge.target(), edge.relation()});
  }
  SLICE_ASSIGN_OR_RETURN(read.attention, CheckedAttention(reply.attention()));
  return absl::OkStatus();
}

absl::StatusOr<ExplainedContext> FromProto(const v1::ExplainedContext& reply) {
  ExplainedContext context;
  SLICE_RETURN_IF_ERROR(ReadContext(reply, context));
  context.logit = reply.logit();
  context.probability = reply.probability();
  return context;
}

absl::StatusOr<std::vector<float>> CheckedCosines(
    const v1::Explanation& reply) {
  const uint64_t expected =
      (uint64_t{reply.attention().layers()} + 1) * reply.tokens_size() * 2;
  const auto found = static_cast<uint64_t>(reply.token_cosines_size());
  if (found != 0 && found != expected) {
    return absl::InternalError(absl::StrCat("the server's explanation has ",
                                            found, " token cosines where ",
                                            expected, " belong"));
  }
  return std::vector<float>(reply.token_cosines().begin(),
                            reply.token_cosines().end());
}

}  // namespace

ArcDirection FromProto(v1::Direction direction) {
  switch (direction) {
    case v1::DIRECTION_OUT:
      return ArcDirection::kOut;
    case v1::DIRECTION_IN:
      return ArcDirection::kIn;
    default:
      return ArcDirection::kBoth;
  }
}

NodeInfo FromProto(const v1::Node& node) {
  return {node.key(), node.name(), node.type()};
}

absl::StatusOr<LinkExplanation> FromProto(const v1::Explanation& reply) {
  LinkExplanation explanation;
  SLICE_RETURN_IF_ERROR(ReadContext(reply, explanation));
  const size_t tokens = explanation.tokens.size();
  for (const v1::MetapathStep& step : reply.metapath()) {
    SLICE_RETURN_IF_ERROR(CheckPosition(step.token(), tokens, "metapath"));
    explanation.metapath.push_back(
        {step.token(),
         step.has_node() ? FromProto(step.node())
                         : explanation.tokens[step.token()].node,
         step.relation(), FromProto(step.direction())});
  }
  SLICE_ASSIGN_OR_RETURN(explanation.token_cosines, CheckedCosines(reply));
  for (const v1::PairFeature& feature : reply.pair_features())
    explanation.pair_features.push_back(
        {feature.name(), feature.value(), feature.contribution()});
  explanation.metapath_count = reply.metapath_count();
  explanation.distance = reply.distance();
  explanation.max_hops = reply.max_hops();
  explanation.truncated = reply.truncated();
  explanation.searched = reply.searched();
  explanation.summary = reply.summary();
  for (const v1::Evidence& evidence : reply.evidence()) {
    explanation.evidence.push_back(FromProto(evidence));
    if (explanation.evidence.back().token) {
      SLICE_RETURN_IF_ERROR(
          CheckPosition(evidence.token(), tokens, "evidence"));
    }
  }
  explanation.probability_without_named = reply.probability_without_named();
  explanation.probability_only_named = reply.probability_only_named();
  for (const v1::ExplainedContext& context : reply.contexts()) {
    SLICE_ASSIGN_OR_RETURN(explanation.contexts.emplace_back(),
                           FromProto(context));
  }
  explanation.context_pooling = reply.context_pooling();
  return explanation;
}

}  // namespace slice
