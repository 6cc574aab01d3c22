#include "client/explanation_json.h"

#include <utility>

#include "client/json_parts.h"
#include "nlohmann/json.hpp"

namespace slice {

using Json = nlohmann::ordered_json;

namespace {

const char* KindName(ExplainedKind kind) {
  switch (kind) {
    case ExplainedKind::kNode:
      return "NODE";
    case ExplainedKind::kPath:
      return "PATH";
    case ExplainedKind::kRelation:
      return "RELATION";
  }
  return "NODE";
}

const char* RoleName(ExplainedRole role) {
  switch (role) {
    case ExplainedRole::kSource:
      return "SOURCE";
    case ExplainedRole::kTarget:
      return "TARGET";
    case ExplainedRole::kBetween:
      return "BETWEEN";
    case ExplainedRole::kNone:
      break;
  }
  return "NONE";
}

// Nested arrays: [layers + 1][tokens][source, target].
Json CosinesJson(const LinkExplanation& explanation) {
  Json layers = Json::array();
  const size_t tokens = explanation.tokens.size();
  const std::vector<float>& cosines = explanation.token_cosines;
  for (size_t next = 0; next < cosines.size();) {
    Json rows = Json::array();
    for (size_t token = 0; token < tokens; ++token, next += 2) {
      rows.push_back({Number(cosines[next]), Number(cosines[next + 1])});
    }
    layers.push_back(std::move(rows));
  }
  return layers;
}

// The weights as nested arrays: [layers][heads][tokens][tokens].
Json AttentionJson(const AttentionWeights& attention) {
  Json layers = Json::array();
  size_t next = 0;
  for (size_t layer = 0; layer < attention.layers; ++layer) {
    Json heads = Json::array();
    for (size_t head = 0; head < attention.heads; ++head) {
      Json rows = Json::array();
      for (size_t row = 0; row < attention.tokens; ++row) {
        Json weights = Json::array();
        for (size_t column = 0; column < attention.tokens; ++column)
          weights.push_back(Number(attention.weights[next++]));
        rows.push_back(std::move(weights));
      }
      heads.push_back(std::move(rows));
    }
    layers.push_back(std::move(heads));
  }
  return layers;
}

Json TokenJson(const ExplainedToken& token) {
  Json json = {{"kind", KindName(token.kind)}, {"role", RoleName(token.role)}};
  if (token.kind == ExplainedKind::kPath) {
    json["path"] = Json::array();
    for (const ExplainedPathStep& step : token.path) {
      json["path"].push_back({{"relation", step.relation},
                              {"direction", DirectionName(step.direction)},
                              {"node", NodeJson(step.node)}});
    }
    json["path_count"] = token.path_count;
  } else {
    json["node"] = NodeJson(token.node);
  }
  json["attention_from_source"] = Number(token.attention_from_source);
  json["attention_from_target"] = Number(token.attention_from_target);
  json["logit_effect"] = Number(token.logit_effect);
  return json;
}

Json EdgesJson(const std::vector<ExplainedEdge>& edges) {
  Json json = Json::array();
  for (const ExplainedEdge& edge : edges) {
    json.push_back({{"source", edge.source},
                    {"target", edge.target},
                    {"relation", edge.relation}});
  }
  return json;
}

Json ContextJson(const ExplainedContext& context) {
  Json json = {{"logit", Number(context.logit)},
               {"probability", Number(context.probability)},
               {"tokens", Json::array()}};
  for (const ExplainedToken& token : context.tokens) {
    json["tokens"].push_back(TokenJson(token));
    json["tokens"].back().erase("logit_effect");
  }
  json["edges"] = EdgesJson(context.edges);
  json["attention"] = AttentionJson(context.attention);
  return json;
}

Json EvidenceJson(const ExplainedEvidence& evidence) {
  Json json = {{"kind", evidence.kind}, {"group", evidence.group}};
  if (evidence.token) json["token"] = *evidence.token;
  if (evidence.path_count > 0) json["path_count"] = evidence.path_count;
  json["logit_effect"] = Number(evidence.logit_effect);
  json["probability_without"] = Number(evidence.probability_without);
  json["named"] = evidence.named;
  json["description"] = evidence.description;
  return json;
}

}  // namespace

Json ExplanationJson(const LinkExplanation& explanation) {
  Json json;
  json["summary"] = explanation.summary;
  json["distance"] = explanation.distance;
  json["max_hops"] = explanation.max_hops;
  json["truncated"] = explanation.truncated;
  json["searched"] = explanation.searched;
  json["evidence"] = Json::array();
  for (const ExplainedEvidence& evidence : explanation.evidence) {
    json["evidence"].push_back(EvidenceJson(evidence));
  }
  json["probability_without_named"] =
      Number(explanation.probability_without_named);
  json["probability_only_named"] = Number(explanation.probability_only_named);
  json["tokens"] = Json::array();
  for (const ExplainedToken& token : explanation.tokens) {
    json["tokens"].push_back(TokenJson(token));
  }
  json["edges"] = EdgesJson(explanation.edges);
  json["metapath"] = Json::array();
  for (const ExplainedStep& step : explanation.metapath) {
    Json entry = {{"token", step.token}};
    AddStep(step, &entry);
    json["metapath"].push_back(std::move(entry));
  }
  json["metapath_count"] = explanation.metapath_count;
  json["pair_features"] = Json::object();
  json["pair_feature_contributions"] = Json::object();
  for (const ScaledFeature& feature : explanation.pair_features) {
    json["pair_features"][feature.name] = Number(feature.value);
    json["pair_feature_contributions"][feature.name] =
        Number(feature.contribution);
  }
  json["attention"] = AttentionJson(explanation.attention);
  json["token_cosines"] = CosinesJson(explanation);
  json["contexts"] = Json::array();
  for (const ExplainedContext& context : explanation.contexts) {
    json["contexts"].push_back(ContextJson(context));
  }
  json["context_pooling"] = explanation.context_pooling;
  return json;
}

}  // namespace slice
