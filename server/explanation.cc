#include "server/explanation.h"

#include <cmath>
#include <cstdlib>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/link_resolver.h"

namespace slice {
namespace {

v1::TokenKind ToProto(TokenKind kind) {
  switch (kind) {
    case TokenKind::kNode:
      return v1::TOKEN_KIND_NODE;
    case TokenKind::kPath:
      return v1::TOKEN_KIND_PATH;
    case TokenKind::kRelation:
      return v1::TOKEN_KIND_RELATION;
    case TokenKind::kPadding:
      break;
  }
  return v1::TOKEN_KIND_UNSPECIFIED;
}

v1::TokenRole ToProto(TokenRole role) {
  switch (role) {
    case TokenRole::kSource:
      return v1::TOKEN_ROLE_SOURCE;
    case TokenRole::kTarget:
      return v1::TOKEN_ROLE_TARGET;
    case TokenRole::kBetween:
      return v1::TOKEN_ROLE_BETWEEN;
    case TokenRole::kNone:
    case TokenRole::kMasked:
      break;
  }
  return v1::TOKEN_ROLE_UNSPECIFIED;
}

RelationId RelationOf(int32_t signed_relation) {
  return static_cast<RelationId>(std::abs(signed_relation) - 1);
}

void FillTokens(const ServedModel& model, const LinkItem& item,
                const ContextSubgraph& context, v1::Explanation* out) {
  const std::vector<float> rollout = item.attention.Rollout();
  const size_t count = context.tokens.size();
  const bool has_rollout = rollout.size() == count * count && count >= 2;
  for (size_t i = 0; i < count; ++i) {
    const ContextToken& token = context.tokens[i];
    v1::ExplanationToken* shown = out->add_tokens();
    shown->set_kind(ToProto(token.kind));
    shown->set_role(ToProto(token.role));
    if (token.node != kNoNode) {
      FillNode(*model.snapshot, token.node, shown->mutable_node());
    }
    if (!has_rollout) continue;
    // Row 0 is what the source receives, row 1 what the target does.
    shown->set_attention_from_source(rollout[i]);
    shown->set_attention_from_target(rollout[count + i]);
  }
}

void FillPaths(const ServedModel& model, const ContextSubgraph& context,
               v1::Explanation* out) {
  for (const ContextEdge& edge : context.edges) {
    v1::ExplanationEdge* shown = out->add_edges();
    shown->set_source(edge.source);
    shown->set_target(edge.target);
    shown->set_relation(model.snapshot->RelationName(edge.relation));
  }
  for (const MetapathStep& step : ShortestMetapath(context)) {
    v1::MetapathStep* shown = out->add_metapath();
    shown->set_token(step.token);
    if (step.signed_relation == 0) continue;
    shown->set_relation(
        model.snapshot->RelationName(RelationOf(step.signed_relation)));
    shown->set_direction(step.signed_relation > 0 ? v1::DIRECTION_OUT
                                                  : v1::DIRECTION_IN);
  }
}

void FillNumbers(const ServedModel& model, const LinkItem& item,
                 v1::Explanation* out) {
  const SemanticAssociationMatrix& attention = item.attention;
  v1::AttentionMatrix* matrix = out->mutable_attention();
  matrix->set_layers(attention.layers);
  matrix->set_heads(attention.heads);
  matrix->set_tokens(attention.tokens);
  matrix->mutable_weights()->Add(attention.weights.begin(),
                                 attention.weights.end());
  const std::vector<std::string>& names = model.manifest.pair_features;
  const std::vector<float>& values = item.encoded.pair_features;
  for (size_t i = 0; i < values.size() && i < names.size(); ++i) {
    v1::PairFeature* feature = out->add_pair_features();
    feature->set_name(names[i]);
    feature->set_value(values[i]);
  }
}

std::string DescribePath(const ServedModel& model, const LinkItem& item,
                         const ContextSubgraph& context) {
  const int max_hops = model.manifest.context.max_hops;
  if (item.link.source == item.link.target) {
    return "Source and target are one node";
  }
  if (context.distance < 0) {
    return absl::StrCat("No path within ", max_hops, " hops");
  }
  std::string path;
  for (const MetapathStep& step : ShortestMetapath(context)) {
    if (step.signed_relation != 0) {
      const std::string& relation =
          model.snapshot->RelationName(RelationOf(step.signed_relation));
      absl::StrAppend(&path, step.signed_relation > 0 ? " -" : " <-", relation,
                      step.signed_relation > 0 ? "-> " : "- ");
    }
    absl::StrAppend(&path,
                    model.snapshot->Name(context.tokens[step.token].node));
  }
  if (!path.empty()) return path;
  return absl::StrCat("The ends are ", context.distance,
                      " hops apart, by nodes outside the context");
}

}  // namespace

int StructureSharePercent(const Prediction& prediction) {
  const double structural = std::abs(prediction.logit_structural);
  const double total = structural + std::abs(prediction.logit_context);
  if (!(total > 0)) return 0;
  return static_cast<int>(std::lround(100 * structural / total));
}

std::string SummarizeExplanation(const ServedModel& model,
                                 const LinkItem& item) {
  const ContextSubgraph& context = item.encoded.contexts.front();
  std::string summary = DescribePath(model, item, context);
  if (context.truncated) absl::StrAppend(&summary, " (search cut short)");
  absl::StrAppend(&summary, "; structure contributes ",
                  StructureSharePercent(item.prediction), " %");
  return summary;
}

void FillExplanation(const ServedModel& model, const LinkItem& item,
                     v1::Explanation* out) {
  const ContextSubgraph& context = item.encoded.contexts.front();
  FillTokens(model, item, context, out);
  FillPaths(model, context, out);
  FillNumbers(model, item, out);
  out->set_distance(context.distance);
  out->set_max_hops(model.manifest.context.max_hops);
  out->set_truncated(context.truncated);
  out->set_summary(SummarizeExplanation(model, item));
}

}  // namespace slice
