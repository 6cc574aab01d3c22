// Every answer is built as an ordered JSON object: first what the answer says,
// last the bundle id and the graph version that it came from. Enumerators have
// the names of the wire contract (proto/slice/v1). Bytes that are not UTF-8 are
// replaced.
#include "client/json_output.h"

#include "client/answer_flags.h"
#include "client/explanation_json.h"
#include "client/json_parts.h"
#include "nlohmann/json.hpp"

namespace slice {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Only the flags that are set.
Json FlagsJson(const AnswerFlags& flags) {
  Json json = Json::object();
  for (const std::string& name : FlagNames(flags)) json[name] = true;
  if (flags.schema_log_odds != 0) {
    json["schema_log_odds"] = Number(flags.schema_log_odds);
  }
  if (!flags.notes.empty()) json["notes"] = flags.notes;
  return json;
}

Json CalibrationJson(const CalibrationInfo& calibration) {
  return {{"temperature", Number(calibration.temperature)},
          {"offset", Number(calibration.offset)},
          {"decision_threshold", Number(calibration.decision_threshold)},
          {"base_rate", Number(calibration.base_rate)},
          {"rows", calibration.rows}};
}

Json CalibrationsJson(const ModelInfo& info) {
  Json json = Json::object();
  for (const RelationCalibrationInfo& one : info.relation_calibrations) {
    json[one.relation] = {
        {"plausible", CalibrationJson(one.plausible)},
        {"among_kind", CalibrationJson(one.among_kind)},
        {"self_log_odds", Number(one.self_log_odds)},
        {"off_schema_log_odds", Number(one.off_schema_log_odds)}};
  }
  return json;
}

void AddSource(const AnswerSource& from, Json* json) {
  (*json)["bundle_id"] = from.bundle_id;
  (*json)["graph_version"] = from.graph_version;
}

}  // namespace

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

namespace {

Json LinkJson(const LinkQuery& query, std::string_view label,
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
    json["decision_threshold"] = Number(link.decision_threshold);
    json["probability_among_kind"] = Number(link.probability_among_kind);
    json["logit"] = Number(link.logit);
    json["logit_structural"] = Number(link.logit_structural);
    json["logit_context"] = Number(link.logit_context);
    json["logit_knowledge"] = Number(link.logit_knowledge);
    json["scorer"] = link.scorer;
    json["flags"] = FlagsJson(link.flags);
  }
  if (link.explanation)
    json["explanation"] = ExplanationJson(*link.explanation);
  AddSource(from, &json);
  return json;
}

}  // namespace

std::string ToJson(const LinkQuery& query, std::string_view label,
                   const ScoredLink& link, const AnswerSource& from) {
  return Dump(LinkJson(query, label, link, from));
}

std::string ToJson(const LinkQuery& query, const ScoredLinks* now,
                   const ScoredLinks& imagined) {
  Json json;
  json["now"] =
      now == nullptr ? Json() : LinkJson(query, "", now->links[0], now->from);
  json["what_if"] = LinkJson(query, "", imagined.links[0], imagined.from);
  json["without_effect"] = imagined.without_effect;
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
  json["scorer_reason"] = info.scorer_reason;
  json["decision_threshold"] = Number(info.decision_threshold);
  json["temperature"] = Number(info.temperature);
  json["among_kind_threshold"] = Number(info.among_kind_threshold);
  json["among_kind_temperature"] = Number(info.among_kind_temperature);
  json["base_rate"] = Number(info.base_rate);
  json["off_schema_margin"] = Number(info.off_schema_margin);
  json["relation_calibrations"] = CalibrationsJson(info);
  json["metrics"] = Json::object();
  for (const auto& [name, value] : info.metrics)
    json["metrics"][name] = Number(value);
  json["graph_digest"] = info.graph_digest;
  json["graph_version"] = info.from.graph_version;
  json["base_graph_version"] = info.base_graph_version;
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
    entry["flags"] = FlagsJson(node.flags);
    json["recommendations"].push_back(std::move(entry));
  }
  json["best_so_far"] = list.best_so_far;
  json["candidate_count"] = list.candidate_count;
  json["scorer"] = list.scorer;
  if (!list.without_effect.empty())
    json["without_effect"] = list.without_effect;
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
