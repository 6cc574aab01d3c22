// Every answer is built as an ordered JSON object: first what the answer says,
// last the bundle id and the graph version that it came from. Enumerators have
// the names of the wire contract (proto/slice/v1). Bytes that are not UTF-8 are
// replaced.
#include "client/json_output.h"

#include <cmath>
#include <cstdlib>

#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

using Json = nlohmann::ordered_json;

// The float rounded to nine significant decimal digits. As a double it is
// written with these digits and no more.
Json Number(float value) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(absl::StrFormat("%.9g", value).c_str(), nullptr);
}

Json Number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json NodeJson(const NodeInfo& node) {
  return {{"key", node.key}, {"name", node.name}, {"type", node.type}};
}

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

void AddStep(const ExplainedStep& step, Json* json) {
  (*json)["node"] = NodeJson(step.node);
  if (step.relation.empty()) return;
  (*json)["relation"] = step.relation;
  (*json)["direction"] = DirectionName(step.direction);
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
  json["edges"] = Json::array();
  for (const ExplainedEdge& edge : explanation.edges) {
    json["edges"].push_back({{"source", edge.source},
                             {"target", edge.target},
                             {"relation", edge.relation}});
  }
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
  return json;
}

void AddSource(const AnswerSource& from, Json* json) {
  (*json)["bundle_id"] = from.bundle_id;
  (*json)["graph_version"] = from.graph_version;
}

}  // namespace

const char* DirectionName(ArcDirection direction) {
  switch (direction) {
    case ArcDirection::kOut:
      return "OUT";
    case ArcDirection::kIn:
      return "IN";
    case ArcDirection::kBoth:
      break;
  }
  return "BOTH";
}

const char* ServingStateName(ServingState state) {
  switch (state) {
    case ServingState::kServing:
      return "SERVING";
    case ServingState::kNotServing:
      return "NOT_SERVING";
    case ServingState::kServiceUnknown:
      return "SERVICE_UNKNOWN";
    case ServingState::kUnknown:
      break;
  }
  return "UNKNOWN";
}

std::string ToJson(const LinkQuery& query, std::string_view label,
                   const ScoredLink& link, const AnswerSource& from) {
  Json json;
  json["query"] = {{"source", query.source.text},
                   {"relation", query.relation},
                   {"target", query.target.text}};
  if (!label.empty()) json["label"] = label == "1" ? 1 : 0;
  json["status"] = {{"code", absl::StatusCodeToString(link.status.code())},
                    {"message", std::string(link.status.message())}};
  if (link.status.ok()) {
    json["source"] = NodeJson(link.source);
    json["relation"] = link.relation;
    json["target"] = NodeJson(link.target);
    json["probability"] = Number(link.probability);
    json["decision"] = link.decision;
    json["probability_among_kind"] = Number(link.probability_among_kind);
    json["logit"] = Number(link.logit);
    json["logit_structural"] = Number(link.logit_structural);
    json["logit_context"] = Number(link.logit_context);
    json["scorer"] = link.scorer;
  }
  if (link.explanation)
    json["explanation"] = ExplanationJson(*link.explanation);
  AddSource(from, &json);
  return Dump(json);
}

std::string ToJson(const ModelInfo& info) {
  Json json;
  json["model"] = info.model;
  json["bundle_id"] = info.from.bundle_id;
  json["preset"] = info.preset;
  json["leaky"] = info.leaky;
  json["created"] = info.created;
  json["contract_version"] = info.contract_version;
  json["node_count"] = info.node_count;
  json["link_count"] = info.link_count;
  json["relations"] = info.relations;
  json["node_types"] = info.node_types;
  json["embedding_dim"] = info.embedding_dim;
  json["layers"] = info.layers;
  json["heads"] = info.heads;
  json["hidden_dim"] = info.hidden_dim;
  json["context_strategy"] = info.context_strategy;
  json["max_context_nodes"] = info.max_context_nodes;
  json["own_pair_links"] = info.own_pair_links;
  json["scorer"] = info.scorer;
  json["decision_threshold"] = Number(info.decision_threshold);
  json["temperature"] = Number(info.temperature);
  json["metrics"] = Json::object();
  for (const auto& [name, value] : info.metrics)
    json["metrics"][name] = Number(value);
  json["graph_digest"] = info.graph_digest;
  json["graph_version"] = info.from.graph_version;
  json["device"] = info.device;
  json["forward_path"] = info.forward_path;
  json["forward_timings"] = Json::array();
  for (const ForwardTimingInfo& timing : info.forward_timings) {
    json["forward_timings"].push_back({{"forward_path", timing.forward_path},
                                       {"contexts", timing.contexts},
                                       {"seconds", Number(timing.seconds)}});
  }
  json["instruction_set"] = info.instruction_set;
  json["server_version"] = info.server_version;
  json["seed"] = info.seed;
  json["pair_features"] = Json::array();
  for (const PairFeatureText& feature : info.pair_features) {
    json["pair_features"].push_back({{"name", feature.name},
                                     {"group", feature.group},
                                     {"description", feature.description}});
  }
  return Dump(json);
}

std::string ToJson(const RelationList& list) {
  Json json;
  json["relations"] = Json::array();
  for (const RelationInfo& relation : list.relations) {
    json["relations"].push_back({{"name", relation.name},
                                 {"links", relation.links},
                                 {"source_types", relation.source_types},
                                 {"target_types", relation.target_types}});
  }
  AddSource(list.from, &json);
  return Dump(json);
}

std::string ToJson(const FoundNodes& list) {
  Json json;
  json["nodes"] = Json::array();
  for (const NodeInfo& node : list.nodes)
    json["nodes"].push_back(NodeJson(node));
  json["more"] = list.more;
  json["near_misses"] = list.near_misses;
  AddSource(list.from, &json);
  return Dump(json);
}

std::string ToJson(const FoundNeighbors& list) {
  Json json;
  json["node"] = NodeJson(list.node);
  json["neighbors"] = Json::array();
  for (const NeighborInfo& neighbor : list.neighbors) {
    json["neighbors"].push_back(
        {{"node", NodeJson(neighbor.node)},
         {"relation", neighbor.relation},
         {"direction", DirectionName(neighbor.direction)}});
  }
  json["total"] = list.total;
  AddSource(list.from, &json);
  return Dump(json);
}

std::string ToJson(const std::string& service, ServingState state) {
  return Dump({{"service", service}, {"status", ServingStateName(state)}});
}

std::string ToJson(const RecommendedNodes& list) {
  Json json;
  json["recommendations"] = Json::array();
  for (const RecommendedNode& node : list.nodes) {
    Json entry = {
        {"rank", node.rank},
        {"node", NodeJson(node.node)},
        {"score", Number(node.score)},
        {"reranked", node.reranked},
        {"probability", Number(node.probability)},
        {"decision", node.decision},
        {"probability_among_kind", Number(node.probability_among_kind)}};
    entry["metapath"] = Json::array();
    for (const ExplainedStep& step : node.metapath) {
      Json drawn = Json::object();
      AddStep(step, &drawn);
      entry["metapath"].push_back(std::move(drawn));
    }
    entry["metapath_count"] = node.metapath_count;
    json["recommendations"].push_back(std::move(entry));
  }
  json["best_so_far"] = list.best_so_far;
  json["candidate_count"] = list.candidate_count;
  json["scorer"] = list.scorer;
  AddSource(list.from, &json);
  return Dump(json);
}

std::string ToJson(const QueueSnapshot& state) {
  const auto of_class = [](const QueuedClass& queued) {
    return Json{{"links", queued.links},
                {"cost", queued.cost},
                {"clients", queued.clients}};
  };
  Json json;
  json["links"] = state.links;
  json["max_links"] = state.max_links;
  json["bytes"] = state.bytes;
  json["max_bytes"] = state.max_bytes;
  json["predicted_wait_seconds"] = {
      {"interactive", Number(state.interactive_wait_seconds)},
      {"bulk", Number(state.bulk_wait_seconds)}};
  json["queues"] = Json::array();
  for (const QueuedStage& stage : state.stages) {
    json["queues"].push_back(
        {{"stage", stage.stage},
         {"interactive", of_class(stage.interactive)},
         {"bulk", of_class(stage.bulk)},
         {"oldest_age_seconds", Number(stage.oldest_age_seconds)},
         {"next_batch",
          {{"interactive_links", stage.next_interactive},
           {"bulk_links", stage.next_bulk},
           {"dropped_links", stage.next_dropped},
           {"explained", stage.next_explained},
           {"earliest_deadline_seconds",
            Number(stage.next_deadline_seconds)}}}});
  }
  json["shed"] = Json::array();
  for (const ShedRequest& shed : state.shed) {
    json["shed"].push_back(
        {{"age_seconds", Number(shed.age_seconds)},
         {"reason", shed.reason},
         {"class", shed.bulk ? "bulk" : "interactive"},
         {"links", shed.links},
         {"predicted_wait_seconds", Number(shed.predicted_wait_seconds)}});
  }
  return Dump(json);
}

}  // namespace slice
