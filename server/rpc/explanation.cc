// An explanation is made from the first context of a link:
//   tokens    each with its role, its attention rollout from both ends, its
//             paths if it is a path token, and its effect if that was measured
//   edges     the links of the graph among the tokens
//   metapath  the one path from source to target that is shown: that of the
//             path token that adds most to the score; where this was not
//             measured, that with the most attention; without path tokens, the
//             shortest path over the edges
//   numbers   the attention matrix and the pair features
//   evidence  what was removed, and what the score became without it
//   summary   the reasons as a sentence; without evidence, the metapath
//   contexts  if there are several: tokens, edges and attention of each, and
//             the score of the link from it alone
// Here a path is called a way. Relations on a way are signed
// (graphstore/types.h).
#include "server/rpc/explanation.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "context/feature_descriptions.h"
#include "context/path_context.h"
#include "server/graph/link_resolver.h"
#include "server/rpc/explanation_sentence.h"

namespace slice {
namespace {

// Rounding, which differs between batches, moves a logit by less.
constexpr float kRoundedEffect = 1e-5f;

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

v1::EvidenceKind ToProto(EvidenceKind kind) {
  switch (kind) {
    case EvidenceKind::kPaths:
      return v1::EVIDENCE_KIND_PATHS;
    case EvidenceKind::kAllPaths:
      return v1::EVIDENCE_KIND_ALL_PATHS;
    case EvidenceKind::kNoPaths:
      return v1::EVIDENCE_KIND_NO_PATHS;
    case EvidenceKind::kNode:
      return v1::EVIDENCE_KIND_NODE;
    case EvidenceKind::kFeatures:
      return v1::EVIDENCE_KIND_PAIR_FEATURES;
    case EvidenceKind::kEnds:
      break;
  }
  return v1::EVIDENCE_KIND_ENDS;
}

v1::Direction ToProto(Direction direction) {
  return direction == Direction::kOut ? v1::DIRECTION_OUT : v1::DIRECTION_IN;
}

// A node on the way from source to target and the signed relation by which it
// was reached, which is 0 for the source.
struct WayStep {
  size_t token = 0;
  NodeId node = kNoNode;
  int32_t signed_relation = 0;
};

// The way that is shown for a context; without steps when there is none.
struct Way {
  std::vector<WayStep> steps;
  uint64_t count = 0;  // paths over the same relations; 0: not counted
};

// The path of a path token that has the greatest weight, from the source on.
Way WayOfPath(const ContextSubgraph& context, size_t position) {
  const ContextToken& token = context.tokens[position];
  Way way;
  way.steps.push_back({0, context.link.source, 0});
  for (size_t i = 0; i <= token.path.size(); ++i) {
    const bool last = i == token.path.size();
    way.steps.push_back({last ? 1 : position,
                         last ? context.link.target : token.path[i],
                         token.relations[i]});
  }
  way.count = token.path_count;
  return way;
}

// Attention rollout over a context, [tokens, tokens]; empty when there is no
// attention.
std::vector<float> RolloutOf(const ContextSubgraph& context,
                             const SemanticAssociationMatrix& attention) {
  const size_t count = context.tokens.size();
  std::vector<float> rollout = attention.Rollout();
  if (rollout.size() != count * count || count < 2) rollout.clear();
  return rollout;
}

// The position of the path token that the ends attend to most; 0 when there is
// no path token. Among equally attended tokens, it is the first one, whose
// paths have the greatest weight.
size_t MostAttendedPath(const ContextSubgraph& context,
                        const std::vector<float>& rollout) {
  const size_t count = context.tokens.size();
  size_t best = 0;
  float most = -1;
  for (size_t i = 2; i < count; ++i) {
    if (context.tokens[i].kind != TokenKind::kPath) continue;
    const float attention =
        rollout.empty() ? 0.0f : rollout[i] + rollout[count + i];
    if (attention <= most) continue;
    most = attention;
    best = i;
  }
  return best;
}

// The position of the path token whose paths add most to the logit; 0 when none
// adds more than rounding. Nodes between the ends have effects too, but no
// path.
size_t MostEffectivePath(const LinkItem& item) {
  const ContextSubgraph& context = item.encoded.contexts.front();
  size_t best = 0;
  float most = kRoundedEffect;
  for (size_t i = 0; i < item.token_effects.size(); ++i) {
    if (context.tokens[i].kind != TokenKind::kPath) continue;
    if (item.token_effects[i] <= most) continue;
    most = item.token_effects[i];
    best = i;
  }
  return best;
}

Way ShownWay(const LinkItem& item) {
  const ContextSubgraph& context = item.encoded.contexts.front();
  size_t path = MostEffectivePath(item);
  if (path == 0) {
    path = MostAttendedPath(context, RolloutOf(context, item.attention));
  }
  if (path > 0) return WayOfPath(context, path);
  Way way;
  for (const MetapathStep& step : ShortestMetapath(context)) {
    way.steps.push_back(
        {step.token, context.tokens[step.token].node, step.signed_relation});
  }
  return way;
}

const std::string& RelationName(const ModelOnGraph& served,
                                int32_t signed_relation) {
  return served.graph.RelationName(RelationOfSigned(signed_relation));
}

void FillPath(const ModelOnGraph& served, const ContextSubgraph& context,
              size_t position, v1::ExplanationToken* out) {
  const Way way = WayOfPath(context, position);
  out->set_path_count(way.count);
  for (size_t i = 1; i < way.steps.size(); ++i) {
    const WayStep& step = way.steps[i];
    v1::PathStep* shown = out->add_path();
    shown->set_relation(RelationName(served, step.signed_relation));
    shown->set_direction(ToProto(DirectionOfSigned(step.signed_relation)));
    FillNode(served.graph, step.node, shown->mutable_node());
  }
}

// A context with the attention of its tokens.
struct ReadContext {
  const ContextSubgraph& context;
  const SemanticAssociationMatrix& attention;
};

// `Message` is v1::Explanation or v1::ExplainedContext.
template <typename Message>
void FillTokens(const ModelOnGraph& served, const ReadContext& read,
                Message* out) {
  const ContextSubgraph& context = read.context;
  const std::vector<float> rollout = RolloutOf(context, read.attention);
  const size_t count = context.tokens.size();
  for (size_t i = 0; i < count; ++i) {
    const ContextToken& token = context.tokens[i];
    v1::ExplanationToken* shown = out->add_tokens();
    shown->set_kind(ToProto(token.kind));
    shown->set_role(ToProto(token.role));
    if (token.node != kNoNode) {
      FillNode(served.graph, token.node, shown->mutable_node());
    }
    if (token.kind == TokenKind::kPath) FillPath(served, context, i, shown);
    if (rollout.empty()) continue;
    // Row 0 is the attention of the source, row 1 that of the target.
    shown->set_attention_from_source(rollout[i]);
    shown->set_attention_from_target(rollout[count + i]);
  }
}

// Fills tokens, edges and attention.
template <typename Message>
void FillContext(const ModelOnGraph& served, const ReadContext& read,
                 Message* out) {
  FillTokens(served, read, out);
  for (const ContextEdge& edge : read.context.edges) {
    v1::ExplanationEdge* shown = out->add_edges();
    shown->set_source(edge.source);
    shown->set_target(edge.target);
    shown->set_relation(served.graph.RelationName(edge.relation));
  }
  const SemanticAssociationMatrix& attention = read.attention;
  v1::AttentionMatrix* matrix = out->mutable_attention();
  matrix->set_layers(attention.layers);
  matrix->set_heads(attention.heads);
  matrix->set_tokens(attention.tokens);
  matrix->mutable_weights()->Add(attention.weights.begin(),
                                 attention.weights.end());
}

void FillContexts(const ModelOnGraph& served, const LinkItem& item,
                  v1::Explanation* out) {
  if (item.contexts.empty()) return;
  for (size_t i = 0; i < item.contexts.size(); ++i) {
    const AnsweredContext& answered = item.contexts[i];
    v1::ExplainedContext* shown = out->add_contexts();
    FillContext(served, {item.encoded.contexts[i], answered.attention}, shown);
    shown->set_logit(answered.prediction.logit);
    shown->set_probability(answered.prediction.probability);
  }
  out->set_context_pooling(
      std::string(ContextPoolingName(served.model.manifest.reading.pooling)));
}

// The most links of a path that the search for a context could find.
int MaxHops(const ModelOnGraph& served) {
  const ContextOptions& context = served.model.manifest.context;
  return context.strategy == ContextStrategy::kTypedPaths ? kLongestPath
                                                          : context.max_hops;
}

void FillNumbers(const ModelOnGraph& served, const LinkItem& item,
                 v1::Explanation* out) {
  const std::vector<float>& cosines = item.attention.cosines;
  out->mutable_token_cosines()->Add(cosines.begin(), cosines.end());
  const std::vector<std::string>& names = served.model.manifest.pair_features;
  const std::vector<float>& values = item.encoded.pair_features;
  for (size_t i = 0; i < values.size() && i < names.size(); ++i) {
    v1::PairFeature* feature = out->add_pair_features();
    feature->set_name(names[i]);
    feature->set_value(values[i]);
    if (i < item.contributions.size()) {
      feature->set_contribution(item.contributions[i]);
    }
  }
}

void FillEvidence(const ModelOnGraph& served, const LinkItem& item,
                  v1::Explanation* out) {
  const EvidenceEffects& effects = item.evidence.effects;
  if (effects.effects.empty()) return;
  for (const EvidenceEffect& effect : effects.effects) {
    const Evidence& evidence = item.evidence.items[effect.item];
    v1::Evidence* shown = out->add_evidence();
    shown->set_kind(ToProto(evidence.kind));
    if (evidence.group != FeatureGroup::kOther) {
      shown->set_group(std::string(FeatureGroupName(evidence.group)));
    }
    shown->set_token(static_cast<uint32_t>(evidence.token));
    shown->set_path_count(PathCountOf(item, evidence));
    shown->set_logit_effect(effect.logit_effect);
    shown->set_probability_without(effect.probability_without);
    shown->set_named(effect.named);
    shown->set_description(DescribeEvidence(served, item, evidence));
  }
  out->set_probability_without_named(effects.probability_without_named);
  out->set_probability_only_named(effects.probability_only_named);
}

std::string DescribeWay(const ModelOnGraph& served, const LinkItem& item,
                        const ContextSubgraph& context) {
  if (item.link.source == item.link.target) {
    return "Source and target are one node";
  }
  if (context.distance < 0) {
    return absl::StrCat(
        context.truncated ? "No path found within " : "No path within ",
        MaxHops(served), " hops",
        context.truncated ? " (not all were searched)" : "");
  }
  const Way way = ShownWay(item);
  if (way.steps.empty()) {
    return absl::StrCat("The ends are ", context.distance,
                        " hops apart, but only over nodes outside the context");
  }
  std::string text;
  for (const WayStep& step : way.steps) {
    if (step.signed_relation != 0) {
      absl::StrAppend(&text, step.signed_relation > 0 ? " -" : " <-",
                      RelationName(served, step.signed_relation),
                      step.signed_relation > 0 ? "-> " : "- ");
    }
    absl::StrAppend(&text, served.graph.Name(step.node));
  }
  if (way.count > 0) {
    absl::StrAppend(&text, " (", way.count, " such path",
                    way.count == 1 ? ")" : "s)");
  }
  return text;
}

}  // namespace

uint64_t FillMetapath(
    const ModelOnGraph& served, const LinkItem& item,
    google::protobuf::RepeatedPtrField<v1::MetapathStep>* metapath) {
  const Way way = ShownWay(item);
  for (const WayStep& step : way.steps) {
    v1::MetapathStep* shown = metapath->Add();
    shown->set_token(step.token);
    FillNode(served.graph, step.node, shown->mutable_node());
    if (step.signed_relation == 0) continue;
    shown->set_relation(RelationName(served, step.signed_relation));
    shown->set_direction(ToProto(DirectionOfSigned(step.signed_relation)));
  }
  return way.count;
}

void FillPairFeatureInfo(
    const ServedModel& model,
    google::protobuf::RepeatedPtrField<v1::PairFeatureInfo>* features) {
  const BundleManifest& manifest = model.manifest;
  for (const std::string& name : manifest.pair_features) {
    const FeatureDescription described =
        DescribeFeature(name, manifest.relations, manifest.node_types);
    v1::PairFeatureInfo* feature = features->Add();
    feature->set_name(name);
    feature->set_group(std::string(FeatureGroupName(described.group)));
    feature->set_description(described.sentence);
  }
}

int StructureSharePercent(const Prediction& prediction) {
  const double structural = std::abs(prediction.logit_structural);
  const double total = structural + std::abs(prediction.logit_context) +
                       std::abs(prediction.logit_knowledge);
  if (!(total > 0)) return 0;
  return static_cast<int>(std::lround(100 * structural / total));
}

std::string SummarizeExplanation(const ModelOnGraph& served,
                                 const LinkItem& item) {
  if (!item.evidence.items.empty()) return DescribeReasons(served, item);
  std::string summary =
      DescribeWay(served, item, item.encoded.contexts.front());
  absl::StrAppend(&summary, "; structure contributes ",
                  StructureSharePercent(item.prediction), " %");
  return summary;
}

void FillExplanation(const ModelOnGraph& served, const LinkItem& item,
                     v1::Explanation* out) {
  const ContextSubgraph& context = item.encoded.contexts.front();
  FillContext(served, {context, item.attention}, out);
  for (size_t i = 0; i < item.token_effects.size(); ++i) {
    out->mutable_tokens(static_cast<int>(i))
        ->set_logit_effect(item.token_effects[i]);
  }
  out->set_metapath_count(FillMetapath(served, item, out->mutable_metapath()));
  FillNumbers(served, item, out);
  out->set_distance(context.distance);
  out->set_max_hops(MaxHops(served));
  out->set_truncated(context.truncated);
  if (context.truncated) out->set_searched(DescribeSearch(served));
  FillEvidence(served, item, out);
  out->set_summary(SummarizeExplanation(served, item));
  FillContexts(served, item, out);
}

}  // namespace slice
